import { useEffect, useRef, useState } from 'react'
import { Field } from '#web/ui/field.tsx'

const PAUSE_MS = 250

/** Looks for what is typed once the typing pauses. */
export function SearchField({
  label,
  initial = '',
  onSearch,
}: {
  label: string
  initial?: string
  onSearch(words: string): void
}) {
  const [words, setWords] = useState(initial)
  const tell = useRef(onSearch)

  useEffect(() => {
    tell.current = onSearch
  })

  useEffect(() => {
    const timer = setTimeout(() => tell.current(words.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])

  return (
    <div role="search">
      <Field
        label={label}
        name="search"
        type="search"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </div>
  )
}
