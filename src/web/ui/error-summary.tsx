import type { Ref } from 'react'
import { Banner } from './banner.tsx'
import { fieldId } from './field.tsx'

interface ErrorSummaryProps {
  title: string
  /** `id` only for fields with an explicit id. */
  errors: { name: string; message: string; id?: string }[]
  ref?: Ref<HTMLDivElement>
}

/** A list of all errors above the form, each linked to its field. Renders nothing without errors. */
export function ErrorSummary({ title, errors, ref }: ErrorSummaryProps) {
  if (errors.length === 0) return null
  return (
    <Banner tone="bad" title={title} role="alert" ref={ref}>
      <ul>
        {errors.map(({ name, message, id = fieldId(name) }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                // Focus the field without a new history entry.
                event.preventDefault()
                document.getElementById(id)?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
