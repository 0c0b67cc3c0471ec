/** Why a backup or restore failed: a message for the webmaster, with the fix. */
export class BackupProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupProblem'
  }
}
