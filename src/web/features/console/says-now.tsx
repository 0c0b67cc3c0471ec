import { Banner } from '#web/ui/banner.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import type { Overtaken } from './heed-others.ts'

/** What saving again would replace. */
export function SaysNow({ overtaken }: { overtaken: readonly Overtaken[] }) {
  if (overtaken.length === 0) return null
  return (
    <div className="form-messages" role="group" aria-label="It says now">
      <Banner tone="warn" title="It says now">
        <KeyValueList items={[...overtaken]} />
      </Banner>
    </div>
  )
}
