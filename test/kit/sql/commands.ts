/** Commands without parameters or rows, which cannot be prepared; they name nothing that a migration might rename. */
const COMMAND =
  /^\s*(begin|commit|rollback|savepoint|release|set|reset|listen|unlisten|notify|discard|lock|vacuum|analyze|create|comment|drop|do)\b/i

export const isCommand = (text: string): boolean => COMMAND.test(text)
