import { Checkbox } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** Texts on the site that name the term, before and after; each can be kept. */
export function LabelsStep({ editor: { plan, rollOver, change } }: { editor: RollOverEditor }) {
  const { labels, formerTerm } = rollOver
  return (
    <Card title="Labels with the term">
      {labels.length === 0 ? (
        <p className="soft">Nothing on the site names the {formerTerm} term, so there is nothing to change.</p>
      ) : (
        <>
          <p>Uncheck what should stay the same. Events and news of that term are not listed and keep their text.</p>
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
                          <span className="soft">
                            This has an unpublished draft, so it won’t change. Publish it first.
                          </span>
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
    </Card>
  )
}
