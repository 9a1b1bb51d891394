import os

from foyer_client import AuthenticatedClient, Client
from foyer_client.api.door import get_snapshot, redeem_ticket
from foyer_client.api.events import list_events
from foyer_client.api.guest_list import create_guest_party, get_guest_list
from foyer_client.api.public_feed import list_public_events
from foyer_client.api.vouchers import export_vouchers
from foyer_client.models import CreateGuestPartyBody

ORIGIN, SHOP, EVENT = os.environ["ORIGIN"], os.environ["SHOP"], os.environ["EVENT"]
reader = AuthenticatedClient(base_url=ORIGIN, token=os.environ["READ"])
writer = AuthenticatedClient(base_url=ORIGIN, token=os.environ["WRITE"])
door = AuthenticatedClient(base_url=ORIGIN, token=os.environ["DOOR"])


def check(what, is_right):
    assert is_right, f"Python: not so: {what}"
    print(f"Python: {what}")


events = list_events.sync(client=reader)
check("a list is read", any(event.slug == EVENT for event in events.events))

guests = get_guest_list.sync(EVENT, client=reader, query="a")
check("a query is sent", guests.query == "a")

ticket = next(option for option in guests.ticket_options if option.inventory_kind == "ga")
body = CreateGuestPartyBody.from_dict(
    {"guest_party": {"customer_name": "Łukasz Nowak", "ticket_id": ticket.id, "party_size": 2}}
)
refused = create_guest_party.sync_detailed(EVENT, client=reader, body=body)
check("a refusal is typed", refused.status_code == 401 and len(refused.parsed.errors["base"]) == 1)

made = create_guest_party.sync_detailed(EVENT, client=writer, body=body, idempotency_key="python-client")
check("something is created", made.status_code == 201 and made.parsed.party_size == 2)

snapshot = get_snapshot.sync(EVENT, client=door)
check("a snapshot is read", len(snapshot.tickets) > 0)

redeemed = redeem_ticket.sync(made.parsed.admissions[0].public_id, client=door)
check("a ticket is redeemed", redeemed.redeemable is False)

csv = export_vouchers.sync_detailed(client=writer)
check("a file is read", csv.content.startswith(b"code,"))

shop = Client(base_url=ORIGIN, headers={"host": SHOP.removeprefix("http://")})
check("a shop is asked at its own address", len(list_public_events.sync(client=shop).events) > 0)
