import { useEffect, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { Button } from '#web/ui/button.tsx'
import type { RsvpPanelProps } from './rsvp-panel.tsx'

/** Where somebody says that they come. The form is fetched when it is asked for; what it shows is never part of a cached page. */
export function Rsvp(props: RsvpPanelProps) {
  const { hash } = useLocation()
  const [Panel, setPanel] = useState<ComponentType<RsvpPanelProps> | null>(null)
  const [step, setStep] = useState<'idle' | 'loading' | 'failed'>('idle')

  function open() {
    setStep('loading')
    import('./rsvp-panel.tsx').then(
      ({ RsvpPanel }) => setPanel(() => RsvpPanel),
      () => setStep('failed'),
    )
  }

  useEffect(() => {
    if (hash === '#rsvp') open()
  }, [hash])

  return (
    <section id="rsvp" className="rsvp">
      <h2>RSVP</h2>
      <NeedsScript email={props.email} />
      {Panel ? (
        <Panel {...props} />
      ) : (
        <>
          {step === 'failed' && <p role="alert">The form could not be fetched. Please try again.</p>}
          <Button busy={step === 'loading'} busyLabel="Fetching the form" onClick={open}>
            I would like to come
          </Button>
        </>
      )}
    </section>
  )
}
