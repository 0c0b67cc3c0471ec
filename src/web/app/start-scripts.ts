/** What entry.client.tsx tells the document when every part of it answers to the visitor. */
export const ALIVE = 'site:alive'

/**
 * Starts the page's modules when the page has been painted, or at the visitor's first touch: words, fonts and the first picture do not
 * share a slow line with a hundred kilobytes of script. What the visitor pressed or sent last in the meantime is done afterwards.
 *
 * NOTE: sent as text within the document and run there alone: it may use nothing from outside itself.
 */
function startWhenPainted(alive: string) {
  const LATEST_START_MS = 3_000
  const touches = ['pointerdown', 'keydown', 'focusin']
  // The last press only: pressing a slow button twice means the same as once.
  let wanted: (() => void) | undefined
  let isStarted = false

  function start() {
    if (isStarted) return
    isStarted = true
    for (const touch of touches) removeEventListener(touch, start, true)
    const modules = document.getElementById('modules')
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

  function keep(event: Event) {
    const { target } = event
    if (!(target instanceof Element)) return
    if (event.type === 'submit') {
      const { submitter } = event as SubmitEvent
      wanted = () => (target as HTMLFormElement).requestSubmit(submitter ?? undefined)
    } else {
      const button = target.closest('button')
      if (!button || (button.type === 'submit' && button.form)) return
      wanted = () => button.click()
    }
    event.preventDefault()
  }

  addEventListener('click', keep, true)
  addEventListener('submit', keep, true)
  addEventListener(alive, () => {
    removeEventListener('click', keep, true)
    removeEventListener('submit', keep, true)
    wanted?.()
  })

  for (const touch of touches) addEventListener(touch, start, true)
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(start)))
  setTimeout(start, LATEST_START_MS)
}

/** The text of an inline script at the end of the document. Only the server asks for it, so browsers do not load it twice. */
export function startScript(): string {
  return `(${startWhenPainted.toString()})(${JSON.stringify(ALIVE)})`
}

/** Turns the framework's modules, which would start at once, into text that `startScript` runs. */
export function holdModulesBack(html: string): string {
  const files: string[] = []
  return html
    .replaceAll(/<link rel="modulepreload" href="([^"]+)"\/>/g, (_link, href: string) => {
      files.push(href)
      return ''
    })
    .replace(
      '<script type="module" async="">',
      () => `<script type="text/plain" id="modules" data-files="${files.join(' ')}">`,
    )
}
