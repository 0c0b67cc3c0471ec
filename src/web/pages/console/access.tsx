import { useState } from 'react'
import { renewRecoveryCodes } from '#contract/console.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { RecoveryCodes } from '#web/features/console/code-forms.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** An officer's own way in: the codes for the day the phone is gone. */
export default function AccessPage() {
  const action = useAction()
  const [codes, setCodes] = useState<string[] | null>(null)
  return (
    <ConsolePage title="My access" lead="Your authenticator app opens this console. Recovery codes do when it is lost.">
      <ActionMessages action={action} />
      <Sheet title="Recovery codes">
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        ) : (
          <>
            <p>New codes take the place of all you have now.</p>
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Making new codes"
              onClick={() =>
                void action.run('codes', async () =>
                  setCodes((await callAsOfficer(renewRecoveryCodes, { body: {} })).recoveryCodes),
                )
              }
            >
              Make new recovery codes
            </Button>
          </>
        )}
      </Sheet>
      <Sheet title="A new phone">
        <p>
          Log in with a recovery code, and ask the webmaster to take the old app away: the console then asks you to set
          up the new one.
        </p>
      </Sheet>
    </ConsolePage>
  )
}
