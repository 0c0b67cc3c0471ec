import { useEffect, useRef, useState } from 'react'
import { Field } from '#web/ui/field.tsx'

const PAUSE_MS = 250

/** Looks for what is typed once the typing pauses. When `initial` becomes something else than what was looked for, such as by a link, that is shown. */
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
  const told = useRef(initial)

  useEffect(() => {
    tell.current = onSearch
  })

  useEffect(() => {
    if (initial === told.current) return
    told.current = initial
    setWords(initial)
  }, [initial])

  useEffect(() => {
    const timer = setTimeout(() => {
      told.current = words.trim()
      tell.current(told.current)
    }, PAUSE_MS)
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
