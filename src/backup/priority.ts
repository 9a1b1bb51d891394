import os from 'node:os'
import v8 from 'node:v8'

/**
 * A backup by command can wait, and whoever stands at the door cannot. Called before anything else: threads that are
 * started later have the priority of the one that starts them. What is young in memory, a row's bytes, is old soon: more room
 * for it, up to 64 MB, would make nothing faster.
 */
export const yieldToOthers = () => {
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
  v8.setFlagsFromString('--semi-space-growth-factor=1')
}
