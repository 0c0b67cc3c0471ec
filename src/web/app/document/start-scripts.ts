/** Event that entry.client.tsx dispatches when the whole document is interactive. */
export const INTERACTIVE = 'site:alive'

/** The last element of the body. */
export const MODULES_ID = 'modules'

/**
 * Starts the page's modules after the first paint, or at the first interaction, so that text, fonts and the first image
 * do not share a slow connection with a hundred kilobytes of script. The last click or submit before that is replayed
 * afterwards. Where `deferModules` asks for it they start at once, unless a service worker serves the page: Chromium
 * would load each file twice, since what it preloads before the worker answers is not used after.
 * NOTE: serialized into the document and run on its own there, so it must not reference anything outside itself.
 */
function startWhenPainted(alive: string, modulesId: string) {
  const LATEST_START_MS = 3_000
  const interactions = ['pointerdown', 'keydown', 'focusin']
  // Only the last click: clicking a slow button twice means the same as once.
  let replay: (() => void) | undefined
  let isStarted = false
  const modules = document.getElementById(modulesId)

  function start() {
    if (isStarted) return
    isStarted = true
    for (const interaction of interactions) removeEventListener(interaction, start, true)
    for (const href of modules?.dataset['files']?.split(' ') ?? []) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = href
      document.head.append(link)
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = modules?.textContent ?? ''
    document.head.append(script)
  }

  function record(event: Event) {
    const { target } = event
    if (!(target instanceof Element)) return
    if (event.type === 'submit') {
      const { submitter } = event as SubmitEvent
      replay = () => (target as HTMLFormElement).requestSubmit(submitter ?? undefined)
    } else {
      const button = target.closest('button')
      if (!button || (button.type === 'submit' && button.form)) return
      replay = () => button.click()
    }
    event.preventDefault()
  }

  addEventListener('click', record, true)
  addEventListener('submit', record, true)
  addEventListener(alive, () => {
    removeEventListener('click', record, true)
    removeEventListener('submit', record, true)
    replay?.()
  })

  /** Calls back when something is on the screen: a frame that was only drawn may still take a while to get there. */
  function whenPainted(painted: () => void) {
    if (!globalThis.PerformanceObserver?.supportedEntryTypes.includes('paint')) {
      requestAnimationFrame(() => setTimeout(painted))
      return
    }
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      painted()
    }).observe({ type: 'paint', buffered: true })
  }

  for (const interaction of interactions) addEventListener(interaction, start, true)
  addEventListener('load', () => whenPainted(start))
  setTimeout(start, LATEST_START_MS)
  if (modules?.dataset['atOnce'] && !navigator.serviceWorker?.controller) start()
}

/**
 * The text of the inline script at the end of the document. Only the server calls this, so browsers do not load it
 * twice.
 */
export function startScript(): string {
  return `(${startWhenPainted.toString()})(${[INTERACTIVE, MODULES_ID].map((one) => JSON.stringify(one)).join()})`
}

/**
 * Turns the framework's module scripts, which would start immediately, into text that `startScript` runs later.
 * @param atOnce for a page that shows nothing before its scripts run
 */
export function deferModules(html: string, { atOnce }: { atOnce: boolean }): string {
  const files: string[] = []
  return html
    .replaceAll(/<link rel="modulepreload" href="([^"]+)"\/>/g, (_link, href: string) => {
      files.push(href)
      return ''
    })
    .replace(
      '<script type="module" async="">',
      () =>
        `<script type="text/plain" id="${MODULES_ID}" data-files="${files.join(' ')}"${atOnce ? ' data-at-once="yes"' : ''}>`,
    )
}
