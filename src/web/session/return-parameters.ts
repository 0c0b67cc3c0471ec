import { useEffect, useState } from 'react'
import { sessionStore } from './browser-storage.ts'

interface ReturnAddress<Name extends string> {
  /** The parameters to read, behind the `?` or, in the links of emails, behind the `#`. */
  names: readonly Name[]
  /** Those that must not stay in the address bar (docs/product-rules.md#return-from-payment). */
  secrets: readonly Name[]
}

/**
 * The parameters of the address that led here, read after mount: the server renders the page for everybody. Secrets are then
 * scrubbed from the address bar and kept for this tab, so that a reload still finds them. Null until it was read.
 */
export function useReturnAddress<Name extends string>({
  names,
  secrets,
}: ReturnAddress<Name>): Partial<Record<Name, string>> | null {
  const [values, setValues] = useState<Partial<Record<Name, string>> | null>(null)
  useEffect(() => {
    const read = () => setValues(takeReturnAddress({ names, secrets }))
    read()
    // Another link to this page that is opened in the same tab changes only the part behind the `#`: the browser does not load the page again.
    const readAgain = () => {
      if (secrets.some((name) => new URLSearchParams(window.location.hash.slice(1)).has(name))) read()
    }
    window.addEventListener('hashchange', readAgain)
    return () => window.removeEventListener('hashchange', readAgain)
  }, [names, secrets])
  return values
}

/** What a button does with the address. Pressed before the page was alive, it is pressed again a moment before that is read, and waits for it. */
export function useOnceRead<Address>(address: Address | null, act: (address: Address) => void): () => void {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (!isWanted || !address) return
    setWanted(false)
    act(address)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is done belongs to the press, not to each new form of the function
  }, [isWanted, address])
  return () => (address ? act(address) : setWanted(true))
}

function takeReturnAddress<Name extends string>({
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
    // The mark belongs to this entry of the history: the same page opened anew must not find an old secret.
    window.history.replaceState({ ...window.history.state, isScrubbed: true }, '', url)
    return found
  }
  return window.history.state?.isScrubbed ? { ...readKept(key), ...found } : found
}

function readKept(key: string): object {
  try {
    return JSON.parse(sessionStore.get(key) ?? '{}') as object
  } catch {
    return {}
  }
}
