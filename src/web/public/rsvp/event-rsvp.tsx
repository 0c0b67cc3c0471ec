import { useEffect, useRef, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { Button } from '#web/ui/button.tsx'
import type { RsvpPanelProps } from './rsvp-panel.tsx'

/** The RSVP section of an event's page. The form is loaded on demand, so its data is never part of a cached page. */
export function Rsvp(props: Omit<RsvpPanelProps, 'focusHeading' | 'onSent'>) {
  const { hash } = useLocation()
  const [Panel, setPanel] = useState<ComponentType<RsvpPanelProps> | null>(null)
  const [step, setStep] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [sent, setSent] = useState<{ title: string; isComing: boolean } | null>(null)
  const section = useRef<HTMLElement | null>(null)
  const heading = useRef<HTMLHeadingElement | null>(null)
  const wasUsed = useRef(false)

  function open() {
    setStep('loading')
    import('./rsvp-panel.tsx').then(
      ({ RsvpPanel }) => {
        // A visitor may have got to the button by the keyboard while the form was on its way.
        wasUsed.current ||= section.current?.contains(document.activeElement) ?? false
        setPanel(() => RsvpPanel)
      },
      () => setStep('failed'),
    )
  }

  useEffect(() => {
    if (hash === '#rsvp') open()
  }, [hash])

  // The form is there once a visitor gets to it; without the observer, its button opens it.
  useEffect(() => {
    if (!section.current || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      open()
    })
    observer.observe(section.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    // Don't move focus when the visitor has moved on meanwhile.
    if (Panel && wasUsed.current && document.activeElement === document.body) heading.current?.focus()
  }, [Panel])

  // The button that sent the form is gone.
  useEffect(() => {
    if (sent) heading.current?.focus()
  }, [sent])

  return (
    <section
      id="rsvp"
      className={['rsvp', sent && 'sent', sent?.isComing && 'good'].filter(Boolean).join(' ')}
      ref={section}
    >
      <h2 ref={heading} tabIndex={-1}>
        {sent?.title ?? 'RSVP'}
      </h2>
      <NeedsScript email={props.email} />
      {Panel ? (
        <Panel {...props} focusHeading={() => heading.current?.focus()} onSent={setSent} />
      ) : (
        <>
          {step === 'failed' && <p role="alert">The form didn’t load. Please try again.</p>}
          <Button
            busy={step === 'loading'}
            busyLabel="Loading"
            onClick={() => {
              wasUsed.current = true
              open()
            }}
          >
            RSVP
          </Button>
        </>
      )}
    </section>
  )
}
