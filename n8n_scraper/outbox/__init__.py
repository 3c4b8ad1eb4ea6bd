"""Messages to the outside, written in the transaction of what they tell, and sent from here."""
