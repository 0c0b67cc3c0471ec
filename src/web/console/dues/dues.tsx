import { listDues, reorderLevels, type DuesLevel } from '#contract/console/dues.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useDraft } from '../forms/use-draft.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { LevelTable } from './level-table.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
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
        {({ levels, mayChange }) => <Levels levels={levels} mayChange={mayChange} onSaved={found.setValue} />}
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
  const action = useAction()
  const keys = levels.map(({ key }) => key)
  const draft = useDraft('level-order', {
    saved: { version: keys.join(' '), value: keys },
    editor: {
      changedFields: () => ['Order of levels'],
      isSaving: action.busy === 'save',
      save: () => void save(),
    },
  })
  // Other officers may have added or removed levels since.
  const ordered = levels.toSorted((one, other) => placeOf(one) - placeOf(other))
  function placeOf({ key }: DuesLevel): number {
    const place = draft.value.indexOf(key)
    return place < 0 ? levels.length : place
  }

  async function save() {
    const sent = draft.value
    await action.run('save', async () => {
      const saved = await callAsOfficer(reorderLevels, { body: { keys: ordered.map(({ key }) => key) } })
      const next = saved.levels.map(({ key }) => key)
      draft.applySaved(sent, { version: next.join(' '), value: next })
      onSaved(saved)
    })
  }

  return (
    <div className="flow">
      <ActionMessages action={action} />
      <Panel title="Levels, in the order of the site" isFlush>
        <LevelTable
          levels={ordered}
          onMove={mayChange ? (moved) => draft.change(() => moved.map(({ key }) => key)) : null}
        />
      </Panel>
    </div>
  )
}
