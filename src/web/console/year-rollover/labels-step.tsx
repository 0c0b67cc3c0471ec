import { Checkbox } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** Words of the site that name the year, before and after; each may stay as it is. */
export function LabelsStep({ editor: { plan, rollOver, change } }: { editor: RollOverEditor }) {
  const { labels, formerTerm } = rollOver
  return (
    <Sheet title="Words that name the year">
      {labels.length === 0 ? (
        <p className="soft">Nothing on the site names the year {formerTerm}, so there is nothing to change here.</p>
      ) : (
        <>
          <p>Untick what is to stay as it is. Events and news of the year keep telling of it and are not listed.</p>
          <ul className="year-labels">
            {labels.map(({ key, where, before, after, isLeftAlone }) => (
              <li key={key}>
                <Checkbox
                  label={
                    <>
                      <strong>{where}</strong>
                      <span className="small year-label">
                        <span className="visually-hidden">Before: </span>
                        <del>{before}</del>
                        <span className="visually-hidden">After: </span>
                        <ins>{after}</ins>
                        {isLeftAlone && (
                          <span className="soft">Somebody is writing this, so it is left alone. Publish it first.</span>
                        )}
                      </span>
                    </>
                  }
                  name={`label.${key}`}
                  disabled={isLeftAlone}
                  checked={!isLeftAlone && !plan.keptLabels.includes(key)}
                  onChange={({ target }) =>
                    change((old) => ({
                      ...old,
                      keptLabels: [...old.keptLabels.filter((one) => one !== key), ...(target.checked ? [] : [key])],
                    }))
                  }
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Sheet>
  )
}
