import { useState } from 'react'

interface DocumentStyleProps {
  id: string
  /** Only the server has it. */
  css: string | undefined
}

/** A style sheet within the document. A browser that renders the whole document again, because an extension changed it, takes the text from the one before. */
export function DocumentStyle({ id, css }: DocumentStyleProps) {
  const [text] = useState(() => css ?? document.getElementById(id)?.textContent ?? '')
  return <style id={id} dangerouslySetInnerHTML={{ __html: text }} suppressHydrationWarning />
}
