interface RowActProps {
  /** What it does. */
  readonly act: string;
  /** With what: a list has many of these, and who hears them has to tell them apart. */
  readonly of: string;
  readonly onClick: () => void;
}

/** What can be done with one entry of a list. */
export const RowAct = ({ act, of, onClick }: RowActProps) => (
  <button type="button" class="plain" aria-label={`${act}: ${of}`} onClick={onClick}>
    {act}
  </button>
);
