import type { ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getSiteSetup, OptionalStep } from '#contract/setup/site-setup.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Action } from '../shell/use-action.ts'
import { Panel } from '../ui/panel.tsx'
import { Confirm } from './confirm-step.tsx'

interface OptionalStepsProps {
  setup: ReplyOf<typeof getSiteSetup>
  action: Action
  onConfirm(step: OptionalStep, success: string): void
}

/** What gives a new site its look. It can open without, and Home says what is left until then. */
export function OptionalSteps({ setup, action, onConfirm }: OptionalStepsProps) {
  const isDone = (step: OptionalStep) => setup.optional.some((one) => one.step === step && one.isDone)
  const confirm = (step: OptionalStep, label: string, success: string) => (
    <Confirm
      label={label}
      busy={action.busy === step}
      isDone={isDone(step)}
      onConfirm={() => onConfirm(step, success)}
    />
  )
  return (
    <>
      <Step title="Brand" isDone={isDone('brand')}>
        <p>
          <Link to="/console/brand">Choose colors, typefaces and your mark</Link>, for the site, emails, receipts and
          icons. Until you publish one, the site has the look it comes with.
        </p>
        {confirm('brand', 'Keep the look it comes with', 'The look is confirmed.')}
      </Step>
      <Step title="Pictures" isDone={isDone('pictures')}>
        <p>
          <Link to="/console/pictures">Upload pictures</Link> of your events and people. Without them, pages show
          drawings or none.
        </p>
        {confirm('pictures', 'Open without pictures', 'The site opens without pictures of yours.')}
      </Step>
    </>
  )
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <Panel title={title} action={<Badge tone={isDone ? 'ok' : 'quiet'}>{isDone ? 'Done' : 'Optional'}</Badge>}>
      <div className="stack">{children}</div>
    </Panel>
  )
}
