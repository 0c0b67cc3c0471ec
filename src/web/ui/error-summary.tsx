import type { Ref } from 'react'
import { Banner } from './banner.tsx'
import { fieldId } from './field.tsx'

interface ErrorSummaryProps {
  title: string
  /** `id` only where a field was given an id of its own. */
  errors: { name: string; message: string; id?: string }[]
  ref?: Ref<HTMLDivElement>
}

/** All that has to be corrected, above the form, each leading to its field. Shows nothing without errors. */
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
                // The field takes the focus without a new entry in the browser's history.
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
