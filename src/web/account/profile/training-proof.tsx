import { useFrameContents } from '#web/shared/frame-contents.ts'

/** Part of a sentence: which document proves the training and where to send it. */
export function TrainingProof({ isStudent }: { isStudent: boolean }) {
  const { email } = useFrameContents().association
  return (
    <>
      a letter from your {isStudent ? 'school' : 'program'}: email it to <a href={`mailto:${email}`}>{email}</a>, or
      just email us from your address there
    </>
  )
}
