import { useEffect, useState, type ComponentType } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import type { RegistrationFormProps } from './registration-form.tsx'

/** Loads the registration form once a level is chosen: most visitors of the plans do not register. */
export function Registration(props: RegistrationFormProps) {
  const [Form, setForm] = useState<ComponentType<RegistrationFormProps> | null>(() => loaded)
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (loaded) return
    let isCurrent = true
    setFailed(false)
    loadRegistrationForm().then(
      (component) => isCurrent && setForm(() => component),
      () => isCurrent && setFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [attempt])

  if (Form) return <Form {...props} />
  if (failed) {
    return (
      <div className="flow">
        <Banner tone="bad" role="alert">
          Unable to connect to the server. Please check your internet connection and try again.
        </Banner>
        <Button variant="line" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className="flow">
      <Spinner text="Loading the form" />
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
    </div>
  )
}

let loaded: ComponentType<RegistrationFormProps> | null = null

/** Can be called early, when the pointer approaches a plan's button. */
export async function loadRegistrationForm(): Promise<ComponentType<RegistrationFormProps>> {
  const { RegistrationForm } = await import('./registration-form.tsx')
  loaded = RegistrationForm
  return RegistrationForm
}
