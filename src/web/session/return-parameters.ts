import { useEffect, useState } from 'react'
import { sessionStore } from './browser-storage.ts'

interface ReturnAddress<Name extends string> {
  /** The parameters to read, from the query or, in links of emails, from the fragment. */
  names: readonly Name[]
  /** Parameters to remove from the address bar (docs/product-rules.md#return-from-payment). */
  secrets: readonly Name[]
}

/**
 * The parameters of the current URL, read after mount because the server renders the same page for everyone. Secrets
 * are then removed from the address bar and kept in this tab, so that a reload still finds them. null until read.
 */
export function useReturnParameters<Name extends string>({
  names,
  secrets,
}: ReturnAddress<Name>): Partial<Record<Name, string>> | null {
  const [values, setValues] = useState<Partial<Record<Name, string>> | null>(null)
  useEffect(() => {
    const read = () => setValues(readReturnAddress({ names, secrets }))
    read()
    // Opening another link to this page in the same tab may change only the fragment, which does not reload the page.
    const readAgain = () => {
      if (secrets.some((name) => new URLSearchParams(window.location.hash.slice(1)).has(name))) read()
    }
    window.addEventListener('hashchange', readAgain)
    return () => window.removeEventListener('hashchange', readAgain)
  }, [names, secrets])
  return values
}

/**
 * Runs `act` with the parameters, waiting until they are read: a click from before hydration is replayed just before
 * that.
 */
export function useWhenRead<Address>(address: Address | null, act: (address: Address) => void): () => void {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (!isWanted || !address) return
    setWanted(false)
    act(address)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per click, not for each new callback
  }, [isWanted, address])
  return () => (address ? act(address) : setWanted(true))
}

function readReturnAddress<Name extends string>({
  names,
  secrets,
}: ReturnAddress<Name>): Partial<Record<Name, string>> {
  const url = new URL(window.location.href)
  const key = `address:${url.pathname}`
  const fragment = new URLSearchParams(url.hash.slice(1))
  const found = Object.fromEntries(
    names.flatMap((name) => {
      const value = fragment.get(name) ?? url.searchParams.get(name)
      return value ? [[name, value]] : []
    }),
  ) as Partial<Record<Name, string>>

  const isInFragment = secrets.some((name) => fragment.has(name))
  if (isInFragment || secrets.some((name) => url.searchParams.has(name))) {
    sessionStore.set(key, JSON.stringify(found))
    for (const name of secrets) url.searchParams.delete(name)
    if (isInFragment) url.hash = ''
    // Marks this history entry, so that opening the same page again does not find an old secret.
    window.history.replaceState({ ...window.history.state, isScrubbed: true }, '', url)
    return found
  }
  return window.history.state?.isScrubbed ? { ...readStored(key), ...found } : found
}

function readStored(key: string): object {
  try {
    return JSON.parse(sessionStore.get(key) ?? '{}') as object
  } catch {
    return {}
  }
}
