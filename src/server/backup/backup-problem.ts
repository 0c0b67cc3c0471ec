/** Why no backup was made or restored: a sentence for the webmaster, with the cure. */
export class BackupProblem extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'BackupProblem'
  }
}
