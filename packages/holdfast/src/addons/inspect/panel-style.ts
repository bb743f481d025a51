// How the panel looks. A text for a constructed style sheet: it applies inside the panel's shadow root and nowhere else.

/** The height of one line of a windowed list, in pixels. */
export const LINE_HEIGHT = 28;

export const STYLE = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
.panel {
  position: fixed; inset: auto 0 0 0; z-index: 2147483000; height: min(46vh, 30rem); display: flex; flex-direction: column;
  font: 13px/1.45 system-ui, sans-serif; color: #1b2430; background: #fff; border-top: 2px solid #0b57a4;
  box-shadow: 0 -6px 24px rgb(0 0 0 / 18%);
}
.panel[hidden] { display: none; }
header { display: flex; gap: .25rem; align-items: center; padding: .25rem .5rem; background: #eef3f9; border-bottom: 1px solid #c8d4e2; }
header h2 { font-size: 13px; margin: 0 .75rem 0 .25rem; }
button, select, input { font: inherit; color: inherit; }
[role=tab], .close { border: 1px solid transparent; background: none; padding: .2rem .7rem; border-radius: 6px; cursor: pointer; }
[role=tab][aria-selected=true] { background: #fff; border-color: #9db3cc; font-weight: 600; }
.close { margin-left: auto; }
:focus-visible { outline: 2px solid #0b57a4; outline-offset: 1px; }
[role=tabpanel] { flex: 1; min-height: 0; display: flex; overflow: auto; }
.wide { flex: 1; min-width: 0; overflow: auto; padding: .5rem .75rem; }
.row-view { display: flex; padding: 0; overflow: hidden; }
.narrow { width: 15rem; flex: none; display: flex; flex-direction: column; border-right: 1px solid #c8d4e2; }
.narrow label { display: flex; gap: .5rem; align-items: center; padding: .4rem .5rem; }
.narrow select, .narrow input { flex: 1; min-width: 0; }
.narrow input { padding: .1rem .3rem; background: none; border: 1px solid #76879c; border-radius: 3px; }
.window { flex: 1; min-height: 0; overflow: auto; position: relative; }
.window ul { list-style: none; margin: 0; padding: 0; position: relative; }
.window li { position: absolute; inset: 0 0 auto 0; height: ${LINE_HEIGHT}px; }
.line {
  display: block; width: 100%; height: 100%; padding: 0 .6rem; border: 0; background: none; text-align: left; cursor: pointer;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.line:hover { background: #f2f6fb; }
.line[aria-current=true] { background: #d9e7f7; font-weight: 600; }
h3 { font-size: 14px; margin: .25rem 0 .5rem; }
p { margin: .25rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #dfe6ee; overflow-wrap: anywhere; }
thead th { position: sticky; top: -.5rem; font-weight: 600; white-space: nowrap; color: #435266; background: #fff; border-bottom-color: #9db3cc; }
tbody th { font-weight: 600; overflow-wrap: break-word; }
th code { font-weight: 400; }
td ul { margin: 0; padding-left: 1rem; }
code { font: 12px ui-monospace, monospace; }
.good { color: #0a6b2d; } .bad { color: #a12020; } .dim { color: #52617a; }
@media (prefers-color-scheme: dark) {
  .panel { color: #e4eaf2; background: #151b23; border-top-color: #6cb0ff; }
  header { background: #1d2630; border-bottom-color: #33404f; }
  [role=tab][aria-selected=true] { background: #2a3644; border-color: #52647a; }
  .line:hover { background: #202a35; } .line[aria-current=true] { background: #29405c; }
  .narrow, th, td { border-color: #33404f; } thead th { color: #a9b8ca; background: #151b23; border-bottom-color: #52647a; }
  .good { color: #6fd391; } .bad { color: #ff9c94; } .dim { color: #a3b1c4; }
  :focus-visible { outline-color: #6cb0ff; }
}
`;
