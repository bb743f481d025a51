// Colours code on the site by six kinds of words. A grammar of TypeScript would know more, and take most of the time of a build and
// most of the bytes of a page: every word of it is an element there.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const KEYWORDS =
  'abstract|as|async|await|break|case|catch|class|const|continue|declare|default|else|export|extends|false|finally|for|function|if|implements|import|in|infer|instanceof|interface|keyof|let|namespace|new|null|override|readonly|return|satisfies|static|super|switch|this|throw|true|try|typeof|undefined|unknown|void|while|yield';

/** In this order: what begins in a comment or a text is none of the others. */
const SCRIPT = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60(?:\\.|[^\x60\\])*\x60)`,
    String.raw`(?<tag>(?<=<\/?)[a-z][\w-]*(?=[\s/>]))`,
    String.raw`(?<number>\b\d[\d_.]*\b)`,
    String.raw`(?<!\.)\b(?<keyword>(?:from|get|is|of|type)(?!\()|${KEYWORDS})\b(?!\s*(?::|\?:|=(?![=>])))`,
    String.raw`(?<name>\b[A-Z]\w*\b)`,
    String.raw`(?<call>\b[a-z_$][\w$]*(?=\())`,
  ].join('|'),
  'g',
);
const SHELL = /(?<comment>#[^\n]*)|(?<keyword>^\s*(?:npm|npx|node|mkdir|cd)\b)|(?<text>--[\w-]+)/gm;
const GRAMMARS: Readonly<Record<string, RegExp>> = {
  ts: SCRIPT,
  tsx: SCRIPT,
  js: SCRIPT,
  json: SCRIPT,
  html: SCRIPT,
  sh: SHELL,
};

/** The code as HTML: `<span class="t-keyword">`. */
export function colour(code: string, language: string): string {
  const grammar = GRAMMARS[language];
  if (!grammar) return escape(code);
  let html = '';
  let end = 0;
  for (const found of code.matchAll(grammar)) {
    const [kind] = Object.entries(found.groups ?? {}).find(([, word]) => word !== undefined) ?? [];
    html += `${escape(code.slice(end, found.index))}<span class="t-${kind}">${escape(found[0])}</span>`;
    end = found.index + found[0].length;
  }
  return html + escape(code.slice(end));
}

/** As VitePress wants it. Vue must not look for its own signs in code. */
export function highlight(code: string, language: string): string {
  const lines = colour(code.trimEnd(), language);
  return `<pre class="code" tabindex="0" v-pre=""><code>${lines}</code></pre>`;
}
