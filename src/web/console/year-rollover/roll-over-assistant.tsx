import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import { ROLL_OVER_STEPS, type RollOver, type RollOverStatus, type RollOverStep } from '#contract/console/roll-over.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { BoardsStep } from './boards-step.tsx'
import { ExecutiveStep } from './executive-step.tsx'
import { LabelsStep } from './labels-step.tsx'
import { OverviewStep } from './overview-step.tsx'
import { PastStep } from './past-step.tsx'
import { stepName } from './plan.rules.ts'
import { RolesStep } from './roles-step.tsx'
import { useRollOver, type SaveStatus, type RollOverEditor } from './use-roll-over.ts'
import { YearStep } from './year-step.tsx'

const SAVE_STATUS: Record<SaveStatus, string> = {
  kept: 'Saved.',
  waiting: 'Saving…',
  failed: 'Not saved.',
}

/** The plan, step by step. The step is kept in the URL, so that Back works. */
export function RollOverAssistant({ first, onStatus }: { first: RollOver; onStatus(status: RollOverStatus): void }) {
  const editor = useRollOver(first, onStatus)
  const [search] = useSearchParams()
  const step = ROLL_OVER_STEPS.find((one) => one === search.get('step')) ?? 'year'
  const index = ROLL_OVER_STEPS.indexOf(step)
  const [before, after] = [ROLL_OVER_STEPS[index - 1], ROLL_OVER_STEPS[index + 1]]
  const { saveStatus: keeping, failure, flush } = editor
  const top = useRef<HTMLElement>(null)
  const shown = useRef(step)

  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    void flush()
    top.current?.scrollIntoView?.({ block: 'start' })
    top.current?.querySelector<HTMLElement>('[aria-current=step]')?.focus({ preventScroll: true })
  }, [step, flush])

  // On a phone the steps scroll: keep the current one visible.
  useEffect(() => {
    const chip = top.current?.querySelector('[aria-current=step]')
    chip?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [step])

  return (
    <>
      {editor.rollOver.failure.length > 0 && (
        <Banner tone="bad" title="The new term could not start as scheduled">
          <ul>
            {editor.rollOver.failure.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Banner>
      )}
      {editor.theirs && <ConflictBanner editor={editor} />}
      <nav className="roll-over-steps" aria-label="Steps" ref={top}>
        <ol>
          {ROLL_OVER_STEPS.map((one, at) => (
            <li key={one}>
              <Link
                to={`/console/roll-over?step=${one}`}
                preventScrollReset
                aria-current={one === step ? 'step' : undefined}
              >
                <span className="roll-over-number" aria-hidden="true">
                  {at + 1}
                </span>
                {stepName(one, editor.rollOver.present)}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <Step step={step} editor={editor} onStatus={onStatus} />
      <div className="content-actions roll-over-actions">
        <p className="small soft" role="status">
          {failure ?? SAVE_STATUS[keeping]}
        </p>
        <div className="buttons">
          {keeping === 'failed' && !editor.theirs && (
            <Button variant="line" size="small" onClick={() => void flush()}>
              Try again
            </Button>
          )}
          {before && (
            <ButtonLink variant="line" size="small" to={`/console/roll-over?step=${before}`} preventScrollReset>
              Back
            </ButtonLink>
          )}
          {after && (
            <ButtonLink
              size="small"
              to={`/console/roll-over?step=${after}`}
              preventScrollReset
              aria-label={`Next: ${stepName(after, editor.rollOver.present)}`}
            >
              <span>
                Next<span className="roll-over-next">: {stepName(after, editor.rollOver.present)}</span>
              </span>
            </ButtonLink>
          )}
        </div>
      </div>
    </>
  )
}

function Step({
  step,
  editor,
  onStatus,
}: {
  step: RollOverStep
  editor: RollOverEditor
  onStatus(status: RollOverStatus): void
}) {
  switch (step) {
    case 'year':
      return <YearStep editor={editor} />
    case 'executive':
      return <ExecutiveStep editor={editor} />
    case 'boards':
      return <BoardsStep editor={editor} />
    case 'roles':
      return <RolesStep editor={editor} />
    case 'past':
      return <PastStep editor={editor} />
    case 'labels':
      return <LabelsStep editor={editor} />
    case 'overview':
      return <OverviewStep editor={editor} onDone={onStatus} />
  }
}

function ConflictBanner({ editor: { theirs, takeTheirs, keepMine } }: { editor: RollOverEditor }) {
  return (
    <Banner tone="warn" role="alert" title={`${theirs?.savedBy} saved a newer version`}>
      <p>Your unsaved changes are still here.</p>
      <div className="buttons">
        <Button size="small" onClick={takeTheirs}>
          Use theirs
        </Button>
        <Button variant="line" size="small" onClick={keepMine}>
          Keep my version
        </Button>
      </div>
    </Banner>
  )
}
