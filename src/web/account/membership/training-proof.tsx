import { useFrameContents } from '#web/features/association/frame-contents.ts'

/** Within a sentence: what shows that somebody is in training, and where it goes. */
export function TrainingProof({ isStudent }: { isStudent: boolean }) {
  const { email } = useFrameContents().association
  return (
    <>
      a letter from your {isStudent ? 'school' : 'program'}: email it to <a href={`mailto:${email}`}>{email}</a>, or
      just write to us from your email address there
    </>
  )
}
