"""What schemathesis has to know of this API beyond its document."""

import functools
import json
import os
import re
import urllib.request

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

# Answers that depend on what happened before: credits are used up, a version is an old one, a key of idempotency was
# used, a limit is reached. The document has them all.
OF_THE_MOMENT = {401, 402, 403, 404, 409, 412, 422, 429}

# Rules that no JSON Schema states: a request that its schema allows may be refused for these, and for nothing else.
RULES = [
    re.compile(rule)
    for rule in (
        # Opaque values with a checksum.
        r"cursor must be the nextCursor of an earlier page",
        # A multipleOf of 0.000001 is not reliable in binary floating point.
        r"must have at most [36] decimals",
        # How many decimals a quantity may have, and so how large it may be, is a matter of the product.
        r"must be a whole number: the product is sold by the piece|must be at most 1000000",
        # How much of it there is, and in which unit, of what is no piece.
        r"is required: the product is sold by weight or length|needs a satUnitKey of the product",
        # Of several patterns of labels, no two may begin alike.
        r"scaleCodes\[\d+\] begins as \w+ does",
        # What query and body both say.
        r"stamp is (true|false) in the query",
        # Codes of a catalog of SAT, and a check digit.
        r"see GET /invoices/cfdi/",
        r"must be a postal code of SAT's catalog",
        r"has the check digit \d where \d is right",
        # Of the three letters that the pattern allows, those of ISO 4217 and the country codes of ISO 3166.
        r"must be an ISO 4217 currency code",
        r"must be an ISO 3166",
        # Discounts: one of two fields, of what there is, in the currency of the products.
        r"must have an amount or a percent",
        r"must have at most 4 decimals",
        r"must be at most [\d.]+, what the items? costs?",
        r"must be a multiple of [\d.]+, the smallest amount of [A-Z]{3}",
        r"cannot be spread over prices with and without taxes",
        r"states \w+ again: state each tax once",
        # Stages: what their kinds ask for, and where deals are put.
        r"must have at least one stage of kind",
        r"probability (is required for an open stage|must be (100|0) for a stage of kind)",
        r"is that of another stage too|is there twice",
        r"names no (stage|pipeline|deal|lead)",
        r"sort takes stageId with rank",
        r"must not be sent with before|must be another deal than",
        r"reason (is required to move a deal|is for stages of kind lost)",
        r"stageId must be a stage of kind",
        r"is not for notes, which are never to be done",
        r"validUntil (must be from today to|is over)|quoteNumber must be the number of a quote|customerId is required: the quote",
        r"must be another lead than the one that stays|have more than \d+ (tags|characters of notes) together",
        r"must be a day such as",
        # Files, and what they say of each other.
        r"the file (has no rows|is damaged)|this is (no text|a JSON document|a web page|an XML document|a picture|a PDF|an archive|an Excel)",
        r"the characters of the file cannot be told",
        r"the first row must have the names of the columns|it has: |to create products the file needs|mapping names the column|both hold",
        r"must be a PNG or JPEG image",
        r"certificate is refused",
        # One field decides on another.
        r"tax(Zip|Regime) is required",
        r"must be withheld when the tax is ISR",
        r"must have a rate unless the factor is Exento",
        r"must have no rate when the factor is Exento",
        r"until must not be before since",
        r"to must (not be before from|be less than 366 days after from|be later than from|be at most 31 days after from)",
        r"(stamped|created|due)To must not be before (stamped|created|due)From",
        r"(stamped|created)To must be at most 366 days after|stampedFrom must be given with stampedTo",
        r"hands the draft over to [^ ]+, which has other default taxes",
        r"isDefault cannot be false of the default issuer",
        r"provider must be sandbox: this is a test account",
        r"^to names [^ ]+, but a test account sends mail to nobody but",
        # Where the service is reached by http, links that it gave out are no URLs of webhooks.
        r"^(url|returnUrl) must start with https://",
        # What several fields add up to.
        r"must not amount to more than 1000000000000",
        # Elements of XML.
        r"must be well-formed XML|no text outside of its elements|at least one element|what is inside of cfdi:Addenda",
        r"provider sandbox takes neither user, password nor token",
        r"(is|are) required with another (user|provider)",
        r"user is required beside password",
        r"reason is required: one of",
        r"token must be absent: finkok",
        r"replacementUuid must be (absent unless|the fiscal folio of the invoice that takes its place)",
        r"variants\[\d+\]\.name is required",
        r"must have a rate as a share",
        r"must be a share above 0 and up to 1 with at most 4 decimals",
        r"(must be omitted: a global invoice has no local taxes|only income invoices and credit notes)",
        r"cannot be given for a new variant",
        r"inventoryDelta must not be negative",
        r"must (not be given|be absent) beside",
        r"must not be withheld when the factor is Exento",
        r"^(name|price) is required",
        r"cannot be given together with inventory",
        r"(categoryIds|images)\[\d+\] is in the list already",
        r"invoiceId is required, or external",
        r"externalId must be the one in the path",
        r"items must have at least one item",
        r"receiver must be given",
        r"unitPrice must be given when no productId is",
        r"(reason|refund|motivo) goes only with \"status\": \"cancelled\"",
        r"motivo must not differ from reason",
        r"repeats \"[^\"]*\", which this product uses already",
        # Approvals: fields go with what is to be approved, operators and values with fields, and approvers are keys that may.
        r"conditions\[\d+\]\.(field|op|value) must be",
        r"facts\.\w+ is not known of",
        r"currency is required with a condition on",
        r"currency is required(: the rule| beside facts\.)",
        r"entityType is not available yet",
        r"\.id names (no API key of this account|an API key that may not approve)",
        r"\.approvers\[\d+\] is named twice|\.minApprovals must be at most|levels (cannot all be met|must name enough others)",
        r"entityId names nothing of this account",
        # What the account has, and the time of day.
        r"names a variant of a product that does not exist",
        r"names a customer without [\w, ]+: complete the customer",
        r"names no \w+ (of this account|of this product|that this webhook wants)",
        r"since must not be in the future",
        r"date is in the period [^ ]+, which has not ended",
        r"paymentForm must be given: PUT /invoices/cfdi/global",
        r"periodicity may be 05 only for an issuer in tax regime 621",
        r"branchId names the branch .*, which is of another issuer",
        # What stands for something else, or goes with a reason.
        r"is required, or \w+ instead",
        r"must be absent beside \w+",
        r"replacementUuid must be the fiscal folio of the document that takes its place when the reason is 01",
        # What stock, prices and keys are about, and what they go with.
        r"names no (customer group|product or variant|warehouse of kind \w+) of this account",
        r"validUntil must be later than validFrom|^leave it out for a new one|comment is required",
        r"mode must be test: a key of a test account makes no others",
        r"mapping\[.*\] must be one of",
        # A number of digits out of four, decimals of a binary fraction, characters that nobody sees.
        r"must be an EAN, UPC or GTIN of 8, 12, 13 or 14 digits",
        r"must be a number of (kilograms|centimetres) from",
        r"^code must be one line without control characters",
        # Payments: what is asked for, of what is due, through whom it can be made.
        r"(amount|currency) is required without orderId",
        r"must have at most \d decimals in [A-Z]{3}",
        r"must be that of the order, [A-Z]{3}",
        r"method cannot be \w+ through the provider \w+ in [A-Z]{3}",
        r"GET /payment-methods lists what can",
        r"amount must be from [\d.]+ to [\d.]+",
        r"amount must be above zero, with at most \d decimals",
        r"amount goes only with pay and refund",
        r"capture must be true: a payment by \w+ is captured at once",
        # Months without interest: which, of whom, from which amount on.
        r"installments goes only with (card payments in MXN|card among allowedMethods|pay$)",
        r"installments (must be absent: |must be among \d|must be \[|must have |must not have |cannot contain \d)",
        r"^set those that are switched on there with PUT /payments/providers|GET /payment-methods lists who does",
        r"amount goes only without installments",
        r"expiresAt (is not for this method, which has no end|must be in the future)",
        r"(key|notificationSecret) must be absent: \w+ takes none",
        r"key is required (beside notificationSecret|to set a provider up)",
        # Payment links: one of three ways to say how much, and what goes with an order.
        r"invoiceId goes only without orderId: a payment is for one of the two",
        r"(title|amount) is required( without orderId|: either amount)",
        r"does not go with orderId: the link asks for what is due",
        r"amountMax must be above amountMin",
        r"allowedMethods (cannot be found|cannot contain \w+): ",
        r"expiresAt must be from 5 minutes to 365 days from now",
        r"maxPayments must be at least \d+: so many have paid or are paying",
        # Stock: a line names one thing in one of three ways, and its change in one of two.
        r"must have (either delta or countedQuantity|one of productId, sku and ean)",
        r"delta must not be 0|variantId goes only with productId|names the same product( and warehouse)? as",
        r"is the (SKU|EAN) of no product|leads to more than \d+ in stock|state its cost in [A-Z]{3}",
        # Counts: a line says how many there are, or that nobody has counted it after all.
        r"names something that was not counted|is posted already; open another count",
        r"items is required: the warehouse has more than|is the SKU or EAN of no product",
        # Transfers: what of a line arrives, and why it differs.
        r"must be another warehouse than fromWarehouseId|items is required without final|names the same line as",
        r"must have at least one of received, damaged, lost and found above 0",
        r"accounts for more than the \d+ that are in transit|is beyond the \d+ items of the transfer",
        r"reason is required where something is damaged, lost or found",
        r"names a warehouse from which nothing of this line is promised|^what was not shipped stays where it lies",
        # A number of a card may stand in any text.
        r"the body holds what looks like the number of a payment card",
        r"^Card numbers are typed at the provider alone",
        r"nothing of it was kept",
        # A link that was followed from a field that is null.
        r"must be the id of",
        # What stands behind a semicolon of its own: what to do, and how many more faults there are.
        r"^(give its inventory|send the \.cer file|and \d+ more)",
    )
]


@functools.cache
def keys_of_the_start():
    """The ids of the keys that the account had when a key was first to be revoked, the caller's own among them."""
    authorization = {"Authorization": f"Bearer {os.environ['FUZZ_API_KEY']}"}
    request = urllib.request.Request(f"{os.environ['FUZZ_API_URL']}/api-keys?limit=100", headers=authorization)
    with urllib.request.urlopen(request) as answer:
        return {key["id"] for key in json.load(answer)["data"]}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Leaves the key alone that it calls with: revoked, it would have everything that follows refused with 401."""
    if case.method != "GET" and case.operation.path.startswith("/api-keys/{"):
        if case.path_parameters.get("id") in keys_of_the_start():
            case.path_parameters["id"] = "key_" + "0" * 26


# What the document allows in `If-Match`.
ETAGS = re.compile(r'\*|(W/)?"[^"]*"([ \t,]+(W/)?"[^"]*")*')


def has_lost_its_quotation_marks(case):
    """Whether an ETag was drawn as the document says and sent without the quotation marks that it begins and ends with: the
    generator takes the value of a header that is a JSON string for what it holds."""
    sent = (case.headers or {}).get("If-Match")
    return sent is not None and not ETAGS.fullmatch(str(sent))


@schemathesis.check
def accepts_what_the_document_allows(ctx, response, case):
    """A request that the document allows is refused only for a rule that it cannot state."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return
    if response.status_code in OF_THE_MOMENT or response.status_code >= 500:
        return
    if has_lost_its_quotation_marks(case):
        return
    faults = response.json().get("message", "").split("; ")
    unknown = [fault for fault in faults if not any(rule.search(fault) for rule in RULES)]
    if not unknown:
        return
    raise RejectedPositiveData(
        operation=case.operation.label,
        message=f"The document allows it, and it is refused: {'; '.join(unknown)}",
        status_code=response.status_code,
        allowed_statuses=["2xx"],
    )
