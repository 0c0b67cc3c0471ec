import { html } from './html.ts'
import type { Markup } from './html.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #0b2a30; --soft: #42595d; --paper: #fffdf8; --ground: #f6ecd8; --line: #8a7c62;
  --action: #2c706d; --on-action: #ffffff; --error: #a3271c; --error-ground: #fbe4dd; --ok: #1c5f45; --ok-ground: #dff0e3 }
@media (prefers-color-scheme: dark) { :root { --ink: #f0e8d8; --soft: #b9c4bd; --paper: #122b30; --ground: #0b2127;
  --line: #7d8f8a; --action: #8cc7b4; --on-action: #0b2127; --error: #ffb3a2; --error-ground: #4a1d16; --ok: #a9dcbd;
  --ok-ground: #12392b } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 17px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
main.wide { max-width: 64rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .75rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem }
a { color: var(--action) }
.card { background: var(--paper); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0 }
.note { color: var(--soft); font-size: .95rem; margin: .25rem 0 }
.stand-in { color: var(--soft); font-size: .875rem; margin: 0 0 1rem }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem }
input { width: 100%; font: inherit; padding: .65rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: transparent; color: inherit }
input[readonly] { color: var(--soft) }
button, .button { display: inline-block; font: inherit; font-weight: 600; min-height: 44px; padding: .6rem 1.25rem; border: 0;
  border-radius: .5rem; background: var(--action); color: var(--on-action); cursor: pointer; text-decoration: none }
button.quiet { background: transparent; color: var(--ink); border: 1px solid var(--line) }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px }
.row { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center; margin-top: 1.25rem }
.error, .done { padding: .75rem 1rem; border-radius: .5rem; margin: 1rem 0; font-weight: 600 }
.error { color: var(--error); background: var(--error-ground) }
.done { color: var(--ok); background: var(--ok-ground) }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
th, td { text-align: left; vertical-align: top; padding: .5rem .5rem .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { font-weight: 600 }
td.number, th.number { text-align: right; padding-right: 0; white-space: nowrap }
ul.plain { list-style: none; margin: 0; padding: 0 }
ul.plain li { padding: .75rem 0; border-bottom: 1px solid var(--line) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; margin: 0 }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: .5rem; background: #fff; resize: vertical }
`

type Layout = { title: string; body: Markup; wide?: boolean; standIn: string }

/** A page of the stand-ins, labeled as such. */
export function layout({ title, body, wide = false, standIn }: Layout): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main${wide ? { markup: ' class="wide"' } : null}>
<p class="stand-in">${standIn}</p>
${body}
</main>
</body>
</html>`.markup
}

export function money(minorUnits: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minorUnits / 100)
}

export function day(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
