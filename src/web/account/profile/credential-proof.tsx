import { useFrameContents } from '#web/shared/frame-contents.ts'

/** Part of a sentence: which document proves it and where to send it. */
export function CredentialProof({ proof }: { proof: string }) {
  const { email } = useFrameContents().association
  return (
    <>
      {proof}: email it to <a href={`mailto:${email}`}>{email}</a>, or just email us from your address there
    </>
  )
}
