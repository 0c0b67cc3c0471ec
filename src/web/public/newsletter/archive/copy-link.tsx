import { useEffect, useState } from 'react'
import { Announcer } from '#web/ui/announcer.tsx'
import { Button } from '#web/ui/button.tsx'

/** Specification 9. */
const COPIED_MS = 2_000

interface CopyLinkProps {
  address: string
  /** The id of what the address is of. */
  describedBy: string
}

/** Says for a moment that it did; where the browser refuses, the address is there to be copied by hand. */
export function CopyLink({ address, describedBy }: CopyLinkProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)

  useEffect(() => {
    if (outcome !== 'copied') return
    const timer = setTimeout(() => setOutcome(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }

  return (
    <>
      <Button variant="line" size="small" aria-describedby={describedBy} onClick={() => void copy()}>
        {outcome === 'copied' ? 'Copied!' : 'Copy link'}
      </Button>
      <Announcer message={outcome === 'copied' ? 'Copied!' : ''} />
      {outcome === 'refused' && (
        <label className="copy-by-hand">
          Your browser did not copy it. Please copy it from here:
          <input
            className="input"
            readOnly
            autoFocus
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      )}
    </>
  )
}
