import { Refusal } from '../kernel/refusals.ts'

const CHOICES_MAX = 20

/** A name that says nothing, or too much: answered with what there is to choose from. */
export class UnresolvedName extends Refusal {
  readonly status: 404 | 422
  readonly choices: readonly object[]

  constructor(parameter: string, message: string, choices: readonly object[], status: 404 | 422 = 422) {
    super({ [parameter]: [message] })
    this.choices = choices.slice(0, CHOICES_MAX)
    this.status = status
  }
}

export interface NameMatching<T> {
  namesOf(thing: T): readonly (string | number)[]
  /** How it is offered as a choice. */
  show(thing: T): object
  /** What it means that nothing has the name; by default that the parameter is at fault. */
  missing?: 404
}

/** Longer than any name there is: bringing a long text into its normal form takes the square of its length. */
const NAME_MAX = 500

const plain = (name: string | number) => String(name).slice(0, NAME_MAX).normalize('NFC').trim().toLowerCase()

const isNamed = <T>(thing: T, plainName: string, { namesOf }: NameMatching<T>) =>
  namesOf(thing).some((each) => plain(each) === plainName)

export const isAnyNamed = <T>(things: readonly T[], name: string, naming: NameMatching<T>) => {
  const plainName = plain(name)
  return things.some((thing) => isNamed(thing, plainName, naming))
}

/** The one thing of this name; a guess could take the wrong one. */
export const findOneByName = <T>(parameter: string, name: string, things: readonly T[], naming: NameMatching<T>): T => {
  const plainName = plain(name)
  const matching = things.filter((thing) => isNamed(thing, plainName, naming))
  if (matching.length === 1) return matching[0]!
  if (matching.length === 0) {
    throw new UnresolvedName(parameter, 'is none of the choices', things.map(naming.show), naming.missing)
  }
  throw new UnresolvedName(parameter, 'is ambiguous: say which of the choices', matching.map(naming.show))
}
