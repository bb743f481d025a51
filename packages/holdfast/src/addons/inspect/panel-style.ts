// The style of the panel, for a constructed style sheet that applies inside the panel's shadow root only.

/** The height of one line of a windowed list, in pixels. */
export const LINE_HEIGHT = 28;

export const STYLE = `
:host{all:initial;color-scheme:light dark;--strong:light-dark(#0b57a4,#6cb0ff);--dim:light-dark(#4c5a70,#a9b6c8)}
*{box-sizing:border-box}
.panel{position:fixed;inset:auto 0 0 0;z-index:2147483000;height:min(46vh,30rem);display:flex;flex-direction:column;font:13px/1.45 system-ui,sans-serif;color:CanvasText;background:Canvas;border-top:2px solid var(--strong);box-shadow:0 0 24px #0004}
.panel[hidden]{display:none}
header{display:flex;gap:.25rem;align-items:center;padding:.25rem .5rem;background:#8882;border-bottom:1px solid #8886}
header h2{font-size:13px;margin:0 .75rem 0 .25rem}
button,select,input{font:inherit;color:inherit}
[role=tab],.close{border:1px solid transparent;background:none;padding:.2rem .7rem;border-radius:6px;cursor:pointer}
[role=tab][aria-selected=true]{background:Canvas;border-color:var(--dim);font-weight:600}
.close{margin-left:auto}
:focus-visible{outline:2px solid var(--strong);outline-offset:1px}
[role=tabpanel]{display:flex}
[role=tabpanel],.window{flex:1;min-height:0;overflow:auto}
.wide{flex:1;min-width:0;overflow:auto;padding:.5rem .75rem}
.row-view{display:flex;padding:0;overflow:hidden}
.narrow{width:15rem;flex:none;display:flex;flex-direction:column;border-right:1px solid #8886}
.narrow label{display:flex;gap:.5rem;align-items:center;padding:.4rem .5rem}
.narrow select,.narrow input{flex:1;min-width:0}
.narrow input{padding:.1rem .3rem;background:none;border:1px solid var(--dim);border-radius:3px}
.window,.window ul{position:relative;list-style:none;margin:0;padding:0}
.window li{position:absolute;inset:0 0 auto 0;height:${LINE_HEIGHT}px}
.line{display:block;width:100%;height:100%;padding:0 .6rem;border:0;background:none;text-align:left;cursor:pointer;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.line:hover{background:#8882}
.line[aria-current=true]{background:#8884;font-weight:600}
h3,p{margin:.25rem 0 .5rem}
h3{font-size:14px}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #8886;overflow-wrap:anywhere}
thead th{position:sticky;top:-.5rem;white-space:nowrap;color:var(--dim);background:Canvas}
tbody th{overflow-wrap:break-word;font-weight:600}
th code{font-weight:400}
td ul{margin:0;padding-left:1rem}
code{font:12px ui-monospace,monospace}
.good{color:light-dark(#0a6b2d,#6fd391)}
.bad{color:light-dark(#a12020,#ff9c94)}
.dim{color:var(--dim)}
`;
