import { useEffect, useRef, useState } from 'react'
import { EMAIL_FRAME_PATH } from '#contract/console/emails/email-frame.ts'

/**
 * An email in a frame of its own, without storing it: an empty page whose policy allows the styles of emails and no script is filled with the HTML.
 * Links open in a new tab.
 */
export function EmailFrame({ html, isNarrow = false }: { html: string; isNarrow?: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)

  useEffect(() => {
    const page = isReady ? frame.current?.contentDocument : null
    if (!page) return
    const { scrollTop } = page.documentElement
    page.documentElement.innerHTML = html
    for (const picture of page.querySelectorAll('img[src^="cid:"]')) picture.remove()
    for (const link of page.querySelectorAll('a')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    page.documentElement.scrollTop = scrollTop
  }, [isReady, html])

  return (
    <iframe
      ref={frame}
      className={isNarrow ? 'email-frame phone' : 'email-frame'}
      title="Email preview"
      src={EMAIL_FRAME_PATH}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={() => setReady(true)}
    />
  )
}
