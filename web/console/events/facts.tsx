import classes from './events.module.css'

/** Short facts in a row; a line breaks between them and not within. */
export const FactList = ({ facts }: { facts: (string | null | undefined)[] }) => (
  <p className={classes.facts}>
    {facts
      .filter((fact) => fact !== null && fact !== undefined && fact !== '')
      .map((fact) => (
        <span key={fact} dir="auto">
          {fact}
        </span>
      ))}
  </p>
)
