interface QuoteProps {
  text: string
  name: string
  /** Who that is, such as 'Member since 2024, Springfield'. */
  detail?: string | null | undefined
}

/** What a person said; the quotation marks come from the style sheet. At most one on a page. */
export function Quote({ text, name, detail }: QuoteProps) {
  return (
    <figure className="quote">
      <blockquote>{text}</blockquote>
      <figcaption>
        <b>{name}</b>
        {detail && (
          <>
            <br />
            {detail}
          </>
        )}
      </figcaption>
    </figure>
  )
}
