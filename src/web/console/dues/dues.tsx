import { useState } from 'react'
import { listDues, orderDues, type DuesLevel } from '#contract/console-dues.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { LevelTable } from '#web/features/dues/level-table.tsx'
import { Button } from '#web/ui/button.tsx'

/** Every level with its price; what is changed stands on the page of each. */
export default function DuesPage() {
  const found = useLoaded('dues', () => callAsOfficer(listDues))
  return (
    <ConsolePage title="Dues" lead="What membership costs, who holds it, and in which order the site shows it.">
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
    await action.run('save', async () => onSaved(await callAsOfficer(orderDues, { body })))
  }

  return (
    <div className="flow">
      <ActionMessages action={action} />
      <LevelTable levels={ordered} onMove={mayChange ? setOrdered : null} />
      {isMoved && (
        <div className="buttons">
          <Button busy={action.busy !== null} busyLabel="Saving" onClick={() => void save()}>
            Save this order
          </Button>
          <Button variant="line" onClick={() => setOrdered(levels)}>
            Leave it as it was
          </Button>
        </div>
      )}
    </div>
  )
}
