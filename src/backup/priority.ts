import os from 'node:os'

/**
 * A backup by command can wait, and whoever stands at the door cannot. Called before anything else: threads that are
 * started later have the priority of the one that starts them.
 */
export const yieldToOthers = () => os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
