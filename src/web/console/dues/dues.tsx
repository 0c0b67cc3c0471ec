import { useState } from 'react'
import { listDues, reorderLevels, type DuesLevel } from '#contract/console/dues.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { LevelTable } from './level-table.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '../ui/panel.tsx'

/** All levels with their prices. Each level is edited on its own page. */
export default function DuesPage() {
  const found = useLoaded(listDues)
  return (
    <ConsolePage
      title="Dues & prices"
      lead="What each level costs, how many members it has, and the order on the site."
      action={found.value?.mayChange && <ButtonLink to="/console/dues/new">Add level</ButtonLink>}
    >
      <WhenLoaded loaded={found} what="the levels">
        {({ levels, mayChange }) => (
          <Levels
            key={levels.map(({ key }) => key).join(' ')}
            levels={levels}
            mayChange={mayChange}
            onSaved={found.setValue}
          />
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

interface LevelsProps {
  levels: DuesLevel[]
  mayChange: boolean
  onSaved(found: { levels: DuesLevel[]; mayChange: boolean }): void
}

function Levels({ levels, mayChange, onSaved }: LevelsProps) {
  const [ordered, setOrdered] = useState(levels)
  const action = useAction()
  const isMoved = ordered.some(({ key }, index) => key !== levels[index]?.key)

  async function save() {
    const body = { keys: ordered.map(({ key }) => key) }
    await action.run('save', async () => onSaved(await callAsOfficer(reorderLevels, { body })))
  }

  return (
    <div className="flow">
      <ActionMessages action={action} />
      <Panel title="Levels, in the order of the site" isFlush>
        <LevelTable levels={ordered} onMove={mayChange ? setOrdered : null} />
      </Panel>
      {isMoved && (
        <div className="buttons">
          <Button busy={action.busy !== null} busyLabel="Saving" onClick={() => void save()}>
            Save order
          </Button>
          <Button variant="line" onClick={() => setOrdered(levels)}>
            Discard
          </Button>
        </div>
      )}
    </div>
  )
}
