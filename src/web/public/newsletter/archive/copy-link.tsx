import { useEffect, useState } from 'react'
import { Announcer } from '#web/ui/announcer.tsx'
import { Button } from '#web/ui/button.tsx'

/** Fixed by the specification. */
const COPIED_MS = 2_000

interface CopyLinkProps {
  address: string
  /** The id of the element that names the linked newsletter. */
  describedBy: string
}

/** Copies the link and confirms it briefly. If the browser refuses, shows the URL for copying by hand. */
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
      <Button
        variant="line"
        size="small"
        aria-describedby={describedBy}
        data-copied={outcome === 'copied' || undefined}
        onClick={() => void copy()}
      >
        {outcome === 'copied' ? 'Copied!' : 'Copy link'}
      </Button>
      <Announcer message={outcome === 'copied' ? 'Copied!' : ''} />
      {outcome === 'refused' && (
        <label className="copy-by-hand">
          Your browser blocked copying. Copy the link from here:
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
