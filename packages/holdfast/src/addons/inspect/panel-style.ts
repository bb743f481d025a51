// The style of the panel, for a constructed style sheet that applies inside the panel's shadow root only.

/** The height of one line of a windowed list, in pixels. */
export const LINE_HEIGHT = 30;

export const STYLE = `
:host{all:initial;color-scheme:inherit;--strong:light-dark(#0b57a4,#7ab8ff);--dim:light-dark(#4c5a70,#a9b6c8);--line:light-dark(#d5dbe4,#3a4454);--soft:light-dark(#f1f4f8,#222a36);--page:light-dark(#fff,#171d26);--good:light-dark(#0a6b2d,#6fd391);--bad:light-dark(#a12020,#ff9c94);--odd:light-dark(#8a5300,#f0b65a)}
*{box-sizing:border-box}
.panel{position:fixed;z-index:2147483000;display:flex;flex-direction:column;font:13px/1.5 system-ui,sans-serif;color:light-dark(#1a2330,#e6ebf2);background:var(--page);box-shadow:0 0 24px #0004;container-type:inline-size}
.panel.bottom{inset:auto 0 0 0;height:var(--size);max-height:90vh;min-height:12rem;border-top:2px solid var(--strong)}
.panel.side{inset:0 0 0 auto;width:var(--size);max-width:95vw;min-width:20rem;border-left:2px solid var(--strong)}
[hidden]{display:none!important}
.grip{position:absolute;touch-action:none;z-index:2}
.bottom .grip{inset:-6px 0 auto 0;height:10px;cursor:ns-resize}
.side .grip{inset:0 auto 0 -6px;width:10px;cursor:ew-resize}
header,.tools{display:flex;flex-wrap:wrap;gap:.25rem;align-items:center}
header{padding:.35rem .5rem;background:var(--soft);border-bottom:1px solid var(--line)}
.tools{margin-left:auto}
[role=tablist]{display:flex;overflow-x:auto}
button,input{font:inherit;color:inherit}
button{border:1px solid transparent;background:none;padding:.15rem .55rem;border-radius:6px;cursor:pointer}
button:hover{background:light-dark(#0001,#fff1)}
.tools button,.acts button{border-color:var(--line)}
button[aria-pressed=true],[role=tab][aria-selected=true]{background:var(--page);border-color:var(--strong);font-weight:600}
input{flex:1;min-width:0;padding:.15rem .5rem;background:var(--page);border:1px solid var(--dim);border-radius:6px}
:focus-visible{outline:2px solid var(--strong);outline-offset:-1px}
.body{display:flex;flex:1;min-height:0}
.left{width:38%;min-width:14rem;display:flex;flex-direction:column;border-right:1px solid var(--line)}
.find{display:flex;padding:.35rem .5rem}
.window,.detail{flex:1;min-width:0;min-height:0;overflow:auto}
.detail{padding:.5rem .9rem 1.5rem}
.window ul{position:relative;list-style:none;margin:0;padding:0}
.window li{position:absolute;inset:0 0 auto 0;height:${LINE_HEIGHT}px}
.line{display:flex;gap:.5rem;align-items:center;width:100%;height:100%;padding:0 .6rem;border:0;border-radius:0;text-align:left}
.line[aria-current=true]{background:light-dark(#dbe9f8,#24405f)}
.name{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.note{color:var(--dim);white-space:nowrap;font-size:12px}
.track{position:relative;flex:none;width:38%;height:12px;border-bottom:1px solid var(--line)}
.bar{position:absolute;height:10px;min-width:3px;border-radius:2px;background:var(--good)}
.bar.did-not-count{background:repeating-linear-gradient(135deg,var(--odd) 0 3px,transparent 3px 6px);outline:1px solid var(--odd)}
.bar.failed{background:var(--bad)}
.bar.given-up{background:none;outline:1px dashed var(--dim)}
.bar.unchanged{background:none;outline:1px solid var(--good)}
.bar.in-flight{background:repeating-linear-gradient(90deg,var(--strong) 0 5px,transparent 5px 8px)}
.mark{position:absolute;top:-2px;width:2px;height:14px;background:light-dark(#000,#fff)}
.failed.note{color:var(--bad)}.did-not-count.note{color:var(--odd)}
h2{font-size:13px;margin:0 .5rem 0 0}
h3{font-size:15px;margin:.25rem 0 .5rem;overflow-wrap:anywhere}
h3::first-letter,.name::first-letter{text-transform:uppercase}
h4{font-size:13px;margin:1rem 0 .25rem;color:var(--dim)}
p,ul{margin:.25rem 0;overflow-wrap:anywhere}
.detail ul{padding-left:1.1rem}
.field{padding:.35rem 0;border-top:1px solid var(--line)}
.value{font-weight:600}
.link{padding:0;border:0;border-radius:2px;color:var(--strong);text-decoration:underline;text-align:left}
.acts{display:flex;flex-wrap:wrap;gap:.35rem;margin:.5rem 0}
code{font:12px ui-monospace,monospace}
.dim{color:var(--dim)}
.frame{position:fixed;pointer-events:none;z-index:2147483001;outline:2px solid var(--strong);background:#3b82f633}
@media (max-width:640px){.panel.bottom{min-height:62vh}}
@container (max-width:640px){
.body{flex-direction:column}
.left{width:auto;min-width:0;flex:0 1 45%;border-right:0;border-bottom:1px solid var(--line)}
.tools{margin:0}
h2{position:absolute;clip-path:inset(50%)}
}
`;
