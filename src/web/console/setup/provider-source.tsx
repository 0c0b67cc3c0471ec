import type { ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getSiteSetup, ProviderSource as Source } from '#contract/setup/site-setup.ts'
import { Button } from '#web/ui/button.tsx'

/** Of the form of each provider. */
export interface ProviderFormProps {
  setup: ReplyOf<typeof getSiteSetup>
  /** It is stored, and the site restarts. */
  onSaved(): void
}

interface ProviderSourceProps {
  source: Source
  /** What is set. */
  text: string
  onEdit(): void
}

/** A provider that is connected, and where its settings are. */
export function ProviderSource({ source, text, onEdit }: ProviderSourceProps) {
  if (source === 'incomplete')
    return (
      <p>The webmaster set only a part of this on the server. The rest is missing there, and the site cannot open.</p>
    )
  if (source === 'environment') return <p>{text} The webmaster set this on the server.</p>
  return (
    <div className="stack">
      <p>{text}</p>
      <div>
        <Button variant="line" size="small" onClick={onEdit}>
          Change
        </Button>
      </div>
    </div>
  )
}

/** The buttons of the form: a provider that is connected can also be left as it is. */
export function ProviderActions({
  source,
  onCancel,
  children,
}: {
  source: Source
  onCancel(): void
  children: ReactNode
}) {
  return (
    <div className="buttons">
      {children}
      {source !== 'missing' && (
        <Button variant="line" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
