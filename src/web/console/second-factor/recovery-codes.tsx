import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <div className="flow">
      <Banner tone="warn" title="Keep these codes">
        Each opens the console once if your phone is lost. They are shown only now: print them, or keep them in your
        password manager.
      </Banner>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button variant="line" onClick={() => window.print()}>
          Print them
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  )
}
