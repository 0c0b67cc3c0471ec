import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { Banner } from '#web/ui/banner.tsx'

const { shownMs, fadeMs } = limits.profileSaved

/** A message that disappears after 5 s and a fade of 0.3 s. A new `at` shows it again; null hides it. */
export function SavedMessage({ text, at }: { text: string; at: number | null }) {
  const [step, setStep] = useState<'shown' | 'fading' | 'gone'>('gone')

  useEffect(() => {
    if (at === null) {
      setStep('gone')
      return
    }
    setStep('shown')
    const fade = setTimeout(() => setStep('fading'), shownMs)
    const end = setTimeout(() => setStep('gone'), shownMs + fadeMs)
    return () => {
      clearTimeout(fade)
      clearTimeout(end)
    }
  }, [at])

  return (
    <div role="status" className="saved-message" data-fading={step === 'fading' || undefined}>
      {step !== 'gone' && <Banner tone="good">{text}</Banner>}
    </div>
  )
}
