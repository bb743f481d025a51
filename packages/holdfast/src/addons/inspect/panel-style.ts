// The style of the panel, for a constructed style sheet that applies inside the panel's shadow root only. The system's colours follow
// the `color-scheme` of the page.

/** The height of one line of a windowed list, in pixels. */
export const LINE_HEIGHT = 38;

export const STYLE = `
:host{all:initial;color-scheme:inherit;--strong:light-dark(#0b57a4,#7ab8ff);--dim:light-dark(#555,#aaa);--line:1px solid #8886}
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
section{position:fixed;inset:auto 0 0;z-index:2147483647;display:flex;flex-direction:column;height:var(--size);max-height:90vh;font:13px/1.5 system-ui;color:CanvasText;background:Canvas;outline:2px solid var(--strong);container-type:inline-size}
.side{inset:0 0 0 auto;width:var(--size);max-width:95vw;min-width:20rem;height:auto;max-height:none}
.grip{position:absolute;inset:-6px 0 auto;height:10px;touch-action:none;cursor:ns-resize}
.side .grip{inset:0 auto 0 -6px;width:10px;height:auto;cursor:ew-resize}
header,header div,.acts{display:flex;flex-wrap:wrap;gap:4px}
header{justify-content:space-between;padding:6px 8px;background:#8882}
button,input{font:inherit;color:inherit;background:none;border:var(--line);border-radius:6px;padding:2px 9px}
button:hover{background:#8882}
[aria-pressed=true],[aria-selected=true],[aria-current=true]{background:color-mix(in srgb,var(--strong) 20%,Canvas)!important}
:focus-visible{outline:2px solid var(--strong);outline-offset:-2px}
.body{flex:1;min-height:0;display:grid;grid:auto 1fr/48% 1fr}
input{margin:6px 8px}
.window,.detail{overflow:auto}
.detail{grid-area:1/2/3;padding:8px 14px;border-left:var(--line);overflow-wrap:anywhere}
.detail *{max-width:50rem}
p,li,.acts{margin:6px 0}
ul{padding-left:18px}
.window *{border:0;margin:0;padding:0;list-style:none}
.window li{height:${LINE_HEIGHT}px}
.line{display:flex;flex-wrap:wrap;align-content:center;align-items:center;gap:0 8px;width:100%;height:100%;padding:0 9px;line-height:1.3;text-align:left}
h2{font-size:15px}
h3{font-size:13px;margin-top:16px}
h2::first-letter,.name::first-letter{text-transform:uppercase}
.name{flex:auto;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.dim,h3,.note{color:var(--end,var(--dim))}
.failed{--end:light-dark(#a12020,#ff9c94)}
.did-not-count{--end:light-dark(#8a5300,#f0b65a)}
.in-flight{--end:var(--strong)}
.note{margin-left:auto}
.name:has(+.track){width:100%}
.track{flex:1;position:relative;height:7px;color:var(--end,light-dark(#0a6b2d,#6fd391))}
.track:before,.track:after{content:"";position:absolute;left:var(--from);height:7px}
.track:before{width:var(--width);min-width:4px;background:currentColor;outline:1px solid}
.unchanged :before,.given-up :before{background:none}
.given-up :before{outline-style:dashed}
.did-not-count :before{background:repeating-linear-gradient(135deg,currentColor 0 3px,#0000 3px 6px)}
.track+.note{width:7em;text-align:right}
.track:after{left:var(--mark,-99em);top:-3px;height:12px;border-left:2px solid CanvasText}
.field{border-top:var(--line)}
a{color:var(--strong)}
.frame{position:fixed;pointer-events:none;z-index:2147483647;outline:2px solid var(--strong);background:#3b82f633}
@container (max-width:640px){.body{grid:auto 45% 1fr/1fr}.detail{grid-area:3/1;border:0;border-top:var(--line)}}
@media (max-width:640px){section:not(.side){min-height:62vh}}
`;
