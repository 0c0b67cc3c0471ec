import { useEffect, useRef, useState } from 'react'
import { Field } from '#web/ui/field.tsx'

const PAUSE_MS = 250

/** A debounced search field. Follows `initial` when it changes from outside, for example by a link. */
export function SearchField({
  label,
  placeholder,
  initial = '',
  onSearch,
}: {
  label: string
  /** Where the label is not visible. */
  placeholder?: string
  initial?: string
  onSearch(query: string): void
}) {
  const [query, setQuery] = useState(initial)
  const latestOnSearch = useRef(onSearch)
  const lastSearch = useRef(initial)

  useEffect(() => {
    latestOnSearch.current = onSearch
  })

  useEffect(() => {
    if (initial === lastSearch.current) return
    lastSearch.current = initial
    setQuery(initial)
  }, [initial])

  useEffect(() => {
    const timer = setTimeout(() => {
      lastSearch.current = query.trim()
      latestOnSearch.current(lastSearch.current)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [query])

  return (
    <div role="search">
      <Field
        label={label}
        name="search"
        type="search"
        placeholder={placeholder}
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
    </div>
  )
}
