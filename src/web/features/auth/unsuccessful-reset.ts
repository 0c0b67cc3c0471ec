/** A 200 that says it did not succeed. Its message is the server's sentence, or empty. */
export class UnsuccessfulReset extends Error {}
