// The style of the panel, for a constructed style sheet that applies inside the panel's shadow root only. The system's colours follow
// the `color-scheme` of the page.

/** The height of one line of a windowed list, in pixels. */
export const LINE_HEIGHT = 34;

export const STYLE = `
:host{all:initial;color-scheme:inherit;--strong:light-dark(#0b57a4,#7ab8ff);--good:light-dark(#0a6b2d,#6fd391);--bad:light-dark(#a12020,#ff9c94);--odd:light-dark(#8a5300,#f0b65a);--dim:color-mix(in srgb,CanvasText 72%,Canvas);--line:color-mix(in srgb,CanvasText 16%,Canvas);--soft:color-mix(in srgb,var(--strong) 9%,Canvas)}
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
.panel{position:fixed;inset:auto 0 0;z-index:2147483000;display:flex;flex-direction:column;height:var(--size);max-height:90vh;font:13px/1.5 system-ui,sans-serif;color:CanvasText;background:Canvas;border:solid var(--strong);border-width:2px 0 0;container-type:inline-size}
.side{inset:0 0 0 auto;width:var(--size);max-width:95vw;min-width:20rem;height:auto;max-height:none;border-width:0 0 0 2px}
.grip{position:absolute;inset:-6px 0 auto;height:10px;touch-action:none;cursor:ns-resize}
.side .grip{inset:0 auto 0 -6px;width:10px;height:auto;cursor:ew-resize}
header,header div,.acts{display:flex;flex-wrap:wrap;gap:4px;align-items:center}
.acts button{margin:8px 0}
header{padding:6px 8px;background:var(--soft);border-bottom:1px solid var(--line)}
.tools{margin-left:auto}
h3{font-size:13px;margin:16px 0 4px;color:var(--dim)}
h2{font-size:15px}
h2::first-letter,.name::first-letter{text-transform:uppercase}
button,input{font:inherit;color:inherit;background:none;border:1px solid #0000;border-radius:6px;padding:2px 9px}
.tools button,.acts button,input{border-color:var(--line)}
button:hover{background:var(--soft)}
[aria-pressed=true],[aria-selected=true]{background:Canvas;border-color:var(--strong);font-weight:600}
:focus-visible{outline:2px solid var(--strong);outline-offset:-2px}
.body{display:flex;flex:1;min-height:0}
.left{flex:0 48%;display:flex;flex-direction:column;border-right:1px solid var(--line)}
input{margin:6px 8px}
.window,.detail{flex:1;min-width:0;overflow:auto}
.detail{padding:8px 14px;overflow-wrap:anywhere}
.detail>*{max-width:50rem}
.window li{height:${LINE_HEIGHT}px;margin:0;list-style:none}
.line{display:flex;flex-wrap:wrap;align-content:center;gap:0 8px;width:100%;height:100%;text-align:left}
.line[aria-current=true]{background:color-mix(in srgb,var(--strong) 20%,Canvas)}
.name{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.dim{color:var(--dim)}
.failed{--end:var(--bad)}
.did-not-count{--end:var(--odd)}
.in-flight{--end:var(--strong)}
.note{color:var(--end,var(--dim));white-space:nowrap}
.track{position:relative;width:100%;height:8px;--end:var(--good)}
.bar,.mark{position:absolute;left:var(--from);height:7px}
.bar{width:var(--width);min-width:4px;background:var(--end);outline:1px solid var(--end)}
.bar.unchanged,.bar.given-up{background:none}
.bar.given-up{outline-style:dashed}
.bar.did-not-count{background:repeating-linear-gradient(135deg,var(--end) 0 3px,#0000 3px 6px)}
.mark{top:-3px;height:12px;border-left:2px solid}
p,li{margin:4px 0}
.detail ul{padding-left:18px}
.field{padding:4px 0;border-top:1px solid var(--line)}
a{color:var(--strong)}
code{font:12px monospace}
.frame{position:fixed;left:var(--left);top:var(--top);width:var(--width);height:var(--height);pointer-events:none;z-index:2147483001;outline:2px solid var(--strong);background:#3b82f633}
@container (max-width:640px){
.body{flex-direction:column}
.left{flex-basis:45%;min-height:0;border:solid var(--line);border-width:0 0 1px}
.tools{margin:0}
}
@media (max-width:640px){.panel:not(.side){min-height:62vh}}
`;
