import { useState } from 'react'
import { chooseImportLevels, type ImportReport } from '#contract/console/import.ts'
import type { EarlierName } from '#contract/console/people/earlier-levels.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { EarlierLevelTable } from '#web/console/ui/earlier-level-table.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Which level each name in the file is, if it is not the name of one; chosen before the import, and stored for the next file with these names. */
export function ImportLevels({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, levelNames, levels, state } = report
  const [draft, setDraft] = useState<ReadonlyMap<string, string | null>>(new Map())
  const action = useAction()
  if (levelNames.length === 0) return null
  if (state !== 'checked') return <MatchedLevels report={report} />

  const rows = levelNames.map((one): EarlierName => {
    const levelKey = draft.get(one.key)
    if (levelKey === undefined) return one
    return { ...one, choice: levelKey === null ? 'left-out' : 'chosen', levelKey }
  })
  const open = levelNames.filter(({ choice }) => choice === 'none')

  function checkAgain() {
    void action.run('levels', async () => {
      const chosen = [...draft].map(([key, levelKey]) => ({ key, levelKey }))
      onChanged(await saveAsOfficer(chooseImportLevels, { params: { id }, body: { levels: chosen } }))
      setDraft(new Map())
    })
  }

  return (
    <Panel title="Levels" isFlush>
      <div className="box-body">
        <ActionMessages action={action} />
        {open.length > 0 && (
          <Banner tone="warn" title={`Choose the level for ${open.map(nameOf).join(', ')}`}>
            <p>Rows of a name without a level cannot be imported.</p>
          </Banner>
        )}
        <p className="soft">
          The file has names that your levels do not have. Choose which level each one is, or leave out its rows. Levels
          that were suggested by their name are marked: check them. The next file with these names starts with your
          choices.
        </p>
      </div>
      <EarlierLevelTable
        caption="Names of levels in the file"
        rows={rows}
        nameHeading="Name in the file"
        nameOf={nameOf}
        columns={[{ heading: 'Rows', textOf: ({ rows: count }) => count.toLocaleString('en-US') }]}
        choiceLabel={(row) => `Level of ${nameOf(row)}`}
        levels={levels.map(({ key, name }) => ({ key, label: name }))}
        isDisabled={action.busy !== null}
        onChoose={({ key }, levelKey) => setDraft(new Map([...draft, [key, levelKey]]))}
      />
      {draft.size > 0 && (
        <div className="box-body">
          <div className="buttons">
            <Button variant="line" busy={action.busy !== null} busyLabel="Checking" onClick={checkAgain}>
              Check the file again
            </Button>
            <Button variant="line" onClick={() => setDraft(new Map())}>
              Reset
            </Button>
          </div>
        </div>
      )}
    </Panel>
  )
}

/** The levels that were suggested and not chosen, such as "Gold (old) as Gold Member". */
export function suggestedLevels({ levelNames, levels }: ImportReport): string[] {
  return levelNames
    .filter(({ choice }) => choice === 'suggested')
    .map((one) => `${nameOf(one)} as ${levels.find(({ key }) => key === one.levelKey)?.name ?? ''}`)
}

/** What the names of an imported file were. */
function MatchedLevels({ report: { levelNames, levels } }: { report: ImportReport }) {
  return (
    <Panel title="Levels">
      <dl className="import-columns">
        {levelNames.map((one) => {
          const level = levels.find(({ key }) => key === one.levelKey)
          return (
            <div key={one.key}>
              <dt>{nameOf(one)}</dt>
              <dd>{level ? `imported as ${level.name}` : 'not imported'}</dd>
            </div>
          )
        })}
      </dl>
    </Panel>
  )
}

function nameOf({ name }: EarlierName): string {
  return name || '(no level)'
}
